import { type InstanceEvent } from './events';

type Requested = Extract<InstanceEvent, { type: 'InstanceRequested' }>['data'];

/** A pod's report about itself. */
export type StatusReport =
  | { readonly status: 'starting' }
  | { readonly status: 'stopping' }
  | {
      readonly status: 'running';
      readonly podIp: string | null;
      readonly instanceUrl: string | null;
      readonly nodeCount: number | null;
      readonly edgeCount: number | null;
    }
  | {
      readonly status: 'failed';
      readonly errorCode: string;
      readonly errorMessage: string;
      readonly failedPhase: string | null;
      readonly stackTrace: string | null;
    };

export type InstanceCommand =
  | ({ readonly type: 'RequestInstance' } & Requested)
  | { readonly type: 'StartInstance'; readonly memoryBytes: number; readonly instanceUrl: string | null }
  | { readonly type: 'ReportStatus'; readonly report: StatusReport }
  /** Something on the way to running failed; a running instance is not touched. */
  | {
      readonly type: 'FailInstance';
      readonly errorCode: string;
      readonly errorMessage: string;
      readonly failedPhase: string;
    }
  /** The pod ended without a word. `reason` is what the runtime says. */
  | { readonly type: 'ReportPodLost'; readonly reason: string }
  | { readonly type: 'RestartInstance'; readonly reason: string }
  | { readonly type: 'RequestDeletion'; readonly reason: string }
  | { readonly type: 'CompleteDeletion' };
