import { type Either, left } from 'fp-ts/Either';
import { accept, deciderOf, existing } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type InstanceEvent } from './events';
import { doubledMemory } from './memory-size';
import { idsOf, ofLive, type OwnerCommand, ownerDecisions } from './owner-commands';
import { evolveInstance, type Instance, OOM_RECOVERY } from './state';

type Requested = Extract<InstanceEvent, { type: 'InstanceRequested' }>['data'];

/** A pod's report about itself. */
export type StatusReport =
  | { readonly status: 'starting' }
  | { readonly status: 'stopping' }
  | {
      readonly status: 'running';
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
  | OwnerCommand
  | ({ readonly type: 'RequestInstance' } & Requested)
  /** Refused once the instance is requested. */
  | { readonly type: 'AbandonInstance'; readonly instanceId: number }
  | { readonly type: 'StartInstance'; readonly memoryBytes: number }
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

export const instanceStream = (instanceId: number): string => `instance-${instanceId}`;
export const podNameOf = (urlSlug: string): string => `graph-${urlSlug}`;

type Events = readonly InstanceEvent[];

/** Ignores a command of the system that a deletion overtook. */
const unlessDeleted = <C, D extends Either<DomainError, Events>>(decide: (command: C, state: Instance) => D) =>
  existing<Instance>('instance')((command: C, state) =>
    state.status === 'deleted' ? accept([]) : decide(command, state),
  );

export const instance = deciderOf<InstanceCommand, InstanceEvent, Instance | null>()({
  initial: null,

  decide: {
    RequestInstance: ({ type: _type, ...data }, state) =>
      state === null
        ? accept([{ type: 'InstanceRequested', data }])
        : left(state.urlSlug === '' ? lapsed(state) : existsAlready('CONFLICT', state)),

    AbandonInstance: ({ instanceId }, state) => {
      if (state === null) return accept([{ type: 'InstanceAbandoned', data: { instanceId } }]);
      return state.urlSlug === '' ? accept([]) : left(existsAlready('ALREADY_EXISTS', state));
    },

    StartInstance: unlessDeleted(({ memoryBytes }, state) =>
      accept(
        state.status === 'waiting_for_snapshot'
          ? [{ type: 'InstanceStarting', data: { ...idsOf(state), ...podOf(state), memoryBytes } }]
          : [],
      ),
    ),

    RestartInstance: unlessDeleted(({ reason }, state) => {
      const data = { ...idsOf(state), ...podOf(state), memoryBytes: state.memoryBytes, reason };
      return accept(isUp(state) ? [{ type: 'InstanceRestarting', data }] : []);
    }),

    ReportStatus: ofLive(({ report }, state) => decideReport(report, state)),

    // A deadline or refusal may have been overtaken by the pod's own report.
    FailInstance: unlessDeleted(({ errorCode, errorMessage, failedPhase }, state) => {
      const data = { ...idsOf(state), errorCode, errorMessage, failedPhase, stackTrace: null };
      const isOnItsWay = state.status === 'waiting_for_snapshot' || state.status === 'starting';
      return accept(isOnItsWay ? [{ type: 'InstanceFailed', data }] : []);
    }),

    ReportPodLost: unlessDeleted(({ reason }, state) => accept(whenPodIsLost(reason, state))),

    RecordResizeFailure: unlessDeleted(({ errorMessage }, state) => {
      const { memoryBytes, cpuCores } = state;
      return accept([{ type: 'InstanceResizeFailed', data: { ...idsOf(state), memoryBytes, cpuCores, errorMessage } }]);
    }),

    CompleteDeletion: unlessDeleted((_command, state) => {
      const data = { ...idsOf(state), reason: state.stopReason ?? 'deleted' };
      return accept(state.status === 'stopping' ? [{ type: 'InstanceDeleted', data }] : []);
    }),

    ...ownerDecisions,
  },

  evolve: evolveInstance,
});

const podOf = ({ urlSlug, wrapperType, cpuCores }: Instance) => ({
  urlSlug,
  wrapperType,
  cpuCores,
  podName: podNameOf(urlSlug),
});

const isUp = ({ status }: Instance): boolean => status === 'starting' || status === 'running';

const existsAlready = <Code extends 'ALREADY_EXISTS' | 'CONFLICT'>(code: Code, { instanceId }: Instance) =>
  domainError<Code>(code, `Instance ${instanceId} exists already; send the request again.`);

const lapsed = ({ instanceId }: Instance) =>
  domainError(
    'SERVICE_UNAVAILABLE',
    `The slot reserved for instance ${instanceId} expired before the request was stored. Nothing was created; try again.`,
  );

const decideReport = (
  report: StatusReport,
  state: Instance,
): Either<DomainError<'INVALID_STATE_TRANSITION'>, Events> => {
  const ids = idsOf(state);
  const { status } = state;
  if (report.status === status) return accept([]);
  if (report.status === 'running' && status === 'starting') {
    const { instanceUrl, nodeCount, edgeCount } = report;
    const running: InstanceEvent = {
      type: 'InstanceRunning',
      data: { ...ids, instanceUrl, nodeCount, edgeCount },
    };
    const { oomRestart, memoryBytes: newMemoryBytes } = state;
    if (oomRestart === null || oomRestart.recovered) return accept([running]);
    const { oldMemoryBytes } = oomRestart;
    return accept([running, { type: 'InstanceOomRecovered', data: { ...ids, oldMemoryBytes, newMemoryBytes } }]);
  }
  if (report.status === 'failed' && isUp(state)) {
    const { errorCode, errorMessage, failedPhase, stackTrace } = report;
    return accept([{ type: 'InstanceFailed', data: { ...ids, errorCode, errorMessage, failedPhase, stackTrace } }]);
  }
  if (report.status === 'stopping' && isUp(state)) {
    return accept([{ type: 'InstanceStopping', data: { ...ids, reason: 'the pod was stopped' } }]);
  }
  return left(
    domainError(
      'INVALID_STATE_TRANSITION',
      `Instance ${state.instanceId} is ${status} and cannot become ${report.status} by a report.`,
      { instance_id: state.instanceId, current_status: status, requested_status: report.status },
    ),
  );
};

const whenPodIsLost = (reason: string, state: Instance): Events => {
  const ids = idsOf(state);
  if (state.status === 'stopping') return [{ type: 'InstanceDeleted', data: { ...ids, reason: 'the pod is gone' } }];
  if (!isUp(state)) return [];
  const outOfMemory = reason === 'OOMKilled';
  const newMemoryBytes = outOfMemory && state.oomRestart === null ? doubledMemory(state.memoryBytes) : null;
  if (newMemoryBytes !== null) {
    const oldMemoryBytes = state.memoryBytes;
    const pod = { ...podOf(state), memoryBytes: newMemoryBytes };
    return [
      { type: 'InstanceMemoryUpgraded', data: { ...ids, oldMemoryBytes, newMemoryBytes, reason: OOM_RECOVERY } },
      { type: 'InstanceRestarting', data: { ...ids, ...pod, reason: OOM_RECOVERY } },
    ];
  }
  return [
    {
      type: 'InstanceFailed',
      data: {
        ...ids,
        errorCode: outOfMemory ? 'OOM_KILLED' : 'UNEXPECTED_TERMINATION',
        errorMessage: outOfMemory
          ? `The pod of instance ${state.instanceId} needed more than its ${state.memoryBytes} bytes of memory. Use fewer rows or columns.`
          : `The pod of instance ${state.instanceId} ended unexpectedly (${reason}). Delete the instance and create it again.`,
        failedPhase: state.status,
        stackTrace: null,
      },
    },
  ];
};
