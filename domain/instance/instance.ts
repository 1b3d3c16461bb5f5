import { type Either, left } from 'fp-ts/Either';
import { accept, deciderOf, type DecisionContext, existing } from '../kernel/decider';
import { type DomainError, domainError } from '../kernel/errors';
import { type InstanceEvent } from './events';
import { idsOf, type OwnerCommand, ownerDecisions, requireNotDeleted } from './owner-commands';
import { doubledMemory, type PodEnd } from './pod';
import { evolveInstance, type Instance, isBeingDeleted, MAX_RECOVERIES, OOM_RECOVERY, POD_LOST } from './state';

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
  /** Rejected once the instance is requested. */
  | { readonly type: 'AbandonInstance'; readonly instanceId: number }
  | { readonly type: 'StartInstance'; readonly memoryBytes: number; readonly snapshotBytes: number }
  /** `life`: of the pod that reports; null for the pods of an outside runner. */
  | { readonly type: 'ReportStatus'; readonly life: number | null; readonly report: StatusReport }
  /** Startup failed; ignored for a running instance. */
  | {
      readonly type: 'FailInstance';
      readonly errorCode: string;
      readonly errorMessage: string;
      readonly failedPhase: string;
    }
  /** The pod ended without an order. */
  | { readonly type: 'ReportPodLost'; readonly life: number; readonly end: PodEnd }
  | { readonly type: 'RestartInstance'; readonly reason: string }
  /** The pod runtime rejected the size of the instance. */
  | { readonly type: 'RecordResizeFailure'; readonly errorMessage: string }
  | { readonly type: 'CompleteDeletion' };

export const instanceStream = (instanceId: number): string => `instance-${instanceId}`;
export const podNameOf = ({ urlSlug, life }: { readonly urlSlug: string; readonly life: number }): string =>
  `graph-${urlSlug}-${life}`;

type Events = readonly InstanceEvent[];

/** Ignores a command of the system on a deleted instance. */
const unlessDeleted = <C, D extends Either<DomainError, Events>>(
  decide: (command: C, state: Instance, context: DecisionContext) => D,
) =>
  existing<Instance>('instance')((command: C, state, context) =>
    state.status === 'deleted' ? accept([]) : decide(command, state, context),
  );

export const instance = deciderOf<InstanceCommand, InstanceEvent, Instance | null>()({
  initial: null,

  decide: {
    RequestInstance: ({ type: _type, ...data }, state) =>
      state === null
        ? accept([{ type: 'InstanceRequested', data }])
        : left(state.urlSlug === '' ? reservationExpired(state) : existsAlready('CONFLICT', state)),

    AbandonInstance: ({ instanceId }, state) => {
      if (state === null) return accept([{ type: 'InstanceAbandoned', data: { instanceId } }]);
      return state.urlSlug === '' ? accept([]) : left(existsAlready('ALREADY_EXISTS', state));
    },

    StartInstance: unlessDeleted(({ memoryBytes, snapshotBytes }, state) =>
      accept(
        state.status === 'waiting_for_snapshot'
          ? [{ type: 'InstanceStarting', data: { ...idsOf(state), ...nextPod(state), memoryBytes, snapshotBytes } }]
          : [],
      ),
    ),

    RestartInstance: unlessDeleted(({ reason }, state, { now }) =>
      accept(isUp(state) || isInterrupted(state) ? [restarting(state, reason, now)] : []),
    ),

    ReportStatus: requireNotDeleted(({ life, report }, state) =>
      life !== null && life !== state.life ? accept([]) : decideReport(report, state),
    ),

    // The pod may have reported running before the deadline or the rejection was recorded.
    FailInstance: unlessDeleted(({ errorCode, errorMessage, failedPhase }, state) => {
      const data = { ...idsOf(state), errorCode, errorMessage, failedPhase, stackTrace: null };
      const isStarting = state.status === 'waiting_for_snapshot' || state.status === 'starting';
      return accept(isStarting ? [{ type: 'InstanceFailed', data }] : []);
    }),

    ReportPodLost: unlessDeleted(({ life, end }, state, { now }) =>
      accept(life === state.life ? whenPodIsLost(end, state, now) : []),
    ),

    RecordResizeFailure: unlessDeleted(({ errorMessage }, state) => {
      const { memoryBytes, cpuCores } = state;
      return accept([{ type: 'InstanceResizeFailed', data: { ...idsOf(state), memoryBytes, cpuCores, errorMessage } }]);
    }),

    CompleteDeletion: unlessDeleted((_command, state) => {
      const data = { ...idsOf(state), reason: state.stopReason ?? 'deleted' };
      return accept(isBeingDeleted(state) ? [{ type: 'InstanceDeleted', data }] : []);
    }),

    ...ownerDecisions,
  },

  evolve: evolveInstance,
});

const nextPod = ({ urlSlug, wrapperType, cpuCores, snapshotBytes, ...state }: Instance) => {
  const life = state.life + 1;
  return { urlSlug, wrapperType, cpuCores, snapshotBytes, podName: podNameOf({ urlSlug, life }), life };
};

const restarting = (
  state: Instance,
  reason: string,
  now: Date,
  { memoryBytes = state.memoryBytes, loadingCrash = null }: { memoryBytes?: number; loadingCrash?: string | null } = {},
): InstanceEvent => ({
  type: 'InstanceRestarting',
  data: { ...idsOf(state), ...nextPod(state), memoryBytes, reason, at: now.toISOString(), loadingCrash },
});

const isUp = ({ status }: Instance): boolean => status === 'starting' || status === 'running';
const isInterrupted = (state: Instance): boolean => state.status === 'stopping' && !isBeingDeleted(state);

const existsAlready = <Code extends 'ALREADY_EXISTS' | 'CONFLICT'>(code: Code, { instanceId }: Instance) =>
  domainError<Code>(code, `Instance ${instanceId} exists already; send the request again.`);

const reservationExpired = ({ instanceId }: Instance) =>
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
    return accept([{ type: 'InstanceInterrupted', data: { ...ids, life: state.life } }]);
  }
  return left(
    domainError(
      'INVALID_STATE_TRANSITION',
      `Instance ${state.instanceId} is ${status} and cannot become ${report.status} by a report.`,
      { instance_id: state.instanceId, current_status: status, requested_status: report.status },
    ),
  );
};

const whenPodIsLost = (end: PodEnd, state: Instance, now: Date): Events => {
  const ids = idsOf(state);
  const { instanceId, memoryBytes, status } = state;
  // The deletion of an instance completes when its last pod has ended.
  if (!isUp(state) && !isInterrupted(state)) return [];
  const fail = (errorCode: string, errorMessage: string): Events => [
    { type: 'InstanceFailed', data: { ...ids, errorCode, errorMessage, failedPhase: status, stackTrace: null } },
  ];
  if (end.cause === 'out_of_memory') {
    const newMemoryBytes = state.oomRestart === null ? doubledMemory(memoryBytes) : null;
    if (newMemoryBytes !== null) {
      const data = { ...ids, oldMemoryBytes: memoryBytes, newMemoryBytes, reason: OOM_RECOVERY };
      return [
        { type: 'InstanceMemoryUpgraded', data },
        restarting(state, OOM_RECOVERY, now, { memoryBytes: newMemoryBytes }),
      ];
    }
    const message = `The pod of instance ${instanceId} needed more than its ${memoryBytes} bytes of memory. Use fewer rows or columns.`;
    return fail('OOM_KILLED', message);
  }
  const loadingCrash = end.cause === 'crashed' && status === 'starting' ? wayOf(end) : null;
  if (loadingCrash !== null && loadingCrash === state.loadingCrash) {
    const message = `The pod of instance ${instanceId} ended unexpectedly in the same way twice while it loaded the snapshot (${end.text}). Check the pod's log, then create the instance again.`;
    return fail('UNEXPECTED_TERMINATION', message);
  }
  const [first] = state.recoveredAt;
  const isLimitReached =
    state.recoveredAt.length === MAX_RECOVERIES && first !== undefined && now.getTime() - Date.parse(first) < HOUR_MS;
  if (!isLimitReached) return [restarting(state, POD_LOST, now, { loadingCrash })];
  const message = `The pod of instance ${instanceId} was stopped or lost ${MAX_RECOVERIES + 1} times within an hour (${end.text}). Check where its pods run, then create the instance again.`;
  return fail('UNEXPECTED_TERMINATION', message);
};

/** The further lines are the last ones of the pod's log. */
const wayOf = ({ text }: PodEnd): string => text.split('\n', 1)[0] ?? text;

const HOUR_MS = 3_600_000;
