import { type AskedLifetime, type LifecycleLimits } from '../config';
import { type PodLock } from './pod';
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

/** Commands that only the owner, an admin, ops or the system itself may give. */
export type OwnerCommand =
  | { readonly type: 'RequestDeletion'; readonly reason: string }
  /** Absent fields stay. */
  | {
      readonly type: 'DescribeInstance';
      readonly name?: string | undefined;
      readonly description?: string | undefined;
    }
  | ({ readonly type: 'ChangeInstanceLifetime'; readonly limits: LifecycleLimits } & AskedLifetime)
  /** `lock` is what the pod says about its lock at the moment. */
  | { readonly type: 'UpdateCpu'; readonly cpuCores: number; readonly lock: PodLock | null }
  | {
      readonly type: 'UpgradeMemory';
      readonly memoryBytes: number;
      /** `user_request`, or why the system itself does it. */
      readonly reason: string;
      readonly lock: PodLock | null;
    };

export type InstanceCommand =
  | OwnerCommand
  | ({ readonly type: 'RequestInstance' } & Requested)
  /** Refused once the instance is requested. */
  | { readonly type: 'AbandonInstance'; readonly instanceId: number }
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
  /** The pod runtime refused the size the instance was given. */
  | { readonly type: 'RecordResizeFailure'; readonly errorMessage: string }
  | { readonly type: 'CompleteDeletion' };
