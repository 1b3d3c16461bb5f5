import { type CapacityEvent } from '../capacity';
import { type InstanceEvent } from '../instance';
import {
  cancelTimer,
  type Process,
  type ProcessOutput,
  type ProcessSignal,
  queueCommand,
  setTimer,
} from '../kernel/process';
import { type SnapshotEvent } from '../snapshot';
import { type ProcessCommand } from './commands';

const LISTENS_TO = [
  'SlotReserved',
  'SlotReleased',
  'InstanceRequested',
  'InstanceStarting',
  'InstanceRestarting',
  'InstanceRunning',
  'InstanceCpuUpdated',
  'InstanceMemoryUpgraded',
  'InstanceFailed',
  'InstanceStopping',
  'InstanceDeleted',
  'SnapshotRequested',
  'SnapshotReady',
  'SnapshotFailed',
] as const;
type Input = Extract<CapacityEvent | InstanceEvent | SnapshotEvent, { type: (typeof LISTENS_TO)[number] }>;

interface State {
  /** Slug of the pod's address, known since the request. */
  readonly urlSlug: string | null;
  /** The snapshot while it has no outcome. */
  readonly openSnapshotId: number | null;
  readonly failedSnapshotId: number | null;
  /** Seconds the snapshot may take. */
  readonly snapshotSeconds: number;
  /** A pod may exist. */
  readonly podOrdered: boolean;
  /** The slot was released. */
  readonly slotReleased: boolean;
  /** It failed, is stopping or is deleted. */
  readonly ended: boolean;
  readonly deleted: boolean;
}

/** Seconds that an instance may wait in each state before it fails. */
export const DEADLINE = { reservation: 60, snapshot: 2 * 3600, startup: 15 * 60 };
type Timer = keyof typeof DEADLINE;
type Outputs = readonly ProcessOutput<ProcessCommand, Timer>[];
/** Seconds that a snapshot may take beyond its longest export, for the wait for workers. */
const EXPORT_QUEUE_SECONDS = 3600;

const LAPSED = 'The slot reserved for the instance expired before the request was stored. Create the instance again.';

/**
 * Drives one instance from its reserved slot to a running pod, and cleans up after every kind of end: slot → request →
 * snapshot → pod → running; failed or stopping → slot free, snapshot given up, pod gone; deleted → failed snapshot
 * deleted.
 *
 * Commands are executed concurrently. A command that creates something may therefore finish after the command that
 * removes it; the result is then removed when the first command reports success.
 */
export const instanceStartup: Process<Input, State, ProcessCommand, Timer> = {
  name: 'instance_startup',
  listensTo: LISTENS_TO,
  processIdOf: (event) => String(event.data.instanceId),
  initial: {
    urlSlug: null,
    openSnapshotId: null,
    failedSnapshotId: null,
    snapshotSeconds: DEADLINE.snapshot,
    podOrdered: false,
    slotReleased: false,
    ended: false,
    deleted: false,
  },

  evolve: (state, input) => {
    switch (input.type) {
      case 'InstanceRequested':
        return { ...state, urlSlug: input.data.urlSlug, openSnapshotId: input.data.snapshotId };
      case 'SnapshotRequested':
        return { ...state, snapshotSeconds: snapshotSeconds(input.data) };
      case 'SnapshotReady':
        return { ...state, openSnapshotId: null };
      case 'SnapshotFailed':
        return { ...state, openSnapshotId: null, failedSnapshotId: input.data.snapshotId };
      case 'InstanceStarting':
      case 'InstanceRestarting':
        return { ...state, podOrdered: true };
      case 'SlotReleased':
        return { ...state, slotReleased: true };
      case 'InstanceFailed':
      case 'InstanceStopping':
        return { ...state, ended: true };
      case 'InstanceDeleted':
        return { ...state, ended: true, deleted: true };
      case 'SlotReserved':
      case 'InstanceRunning':
      case 'InstanceCpuUpdated':
      case 'InstanceMemoryUpgraded':
        return state;
    }
  },

  decide: (state, input, { id, now }) => {
    const instanceId = Number(id);
    switch (input.type) {
      case 'SlotReserved':
        return [setTimer('reservation', now, DEADLINE.reservation)];
      case 'SlotReleased':
        return state.urlSlug === null || state.ended ? [] : [fail(instanceId, 'STARTUP_FAILED', LAPSED, 'reservation')];
      case 'InstanceRequested':
        if (state.slotReleased) return [fail(instanceId, 'STARTUP_FAILED', LAPSED, 'reservation')];
        return [
          cancelTimer('reservation'),
          queueCommand({ type: 'RequestSnapshot', instanceId }),
          setTimer('snapshot', now, DEADLINE.snapshot),
        ];
      case 'SnapshotRequested':
        return state.ended ? [] : [setTimer('snapshot', now, snapshotSeconds(input.data))];
      case 'SnapshotReady':
        return state.ended
          ? deleteSnapshot(state.deleted ? input.data.snapshotId : null)
          : [
              cancelTimer('snapshot'),
              queueCommand({ type: 'StartInstance', instanceId, snapshotBytes: input.data.sizeBytes }),
            ];
      case 'SnapshotFailed':
        return state.ended
          ? deleteSnapshot(state.deleted ? input.data.snapshotId : null)
          : [cancelTimer('snapshot'), fail(instanceId, input.data.errorCode, input.data.errorMessage, 'export')];
      case 'InstanceStarting':
      case 'InstanceRestarting':
        return [queueCommand({ type: 'CreatePod', instanceId }), setTimer('startup', now, DEADLINE.startup)];
      case 'InstanceRunning':
        return [cancelTimer('startup')];
      case 'InstanceCpuUpdated':
      case 'InstanceMemoryUpgraded':
        return [queueCommand({ type: 'ResizePod', instanceId })];
      case 'InstanceFailed':
      case 'InstanceStopping':
        return end(state, input.type, instanceId);
      case 'InstanceDeleted':
        return deleteSnapshot(state.failedSnapshotId);
      case 'TimerFired':
        return onTimer(input.data.timerId, state, instanceId);
      case 'CommandRefused':
        return onRefusal(state, input.data, instanceId);
      case 'CommandSucceeded':
        return onSuccess(state, input.data.command, instanceId);
    }
  },
};

/** Seconds a requested snapshot may take. */
export const snapshotSeconds = ({ exportMaxSeconds }: { readonly exportMaxSeconds: number }): number =>
  exportMaxSeconds + EXPORT_QUEUE_SECONDS;

const ALL_TIMERS: readonly Timer[] = ['reservation', 'snapshot', 'startup'];

const fail = (
  instanceId: number,
  errorCode: string,
  errorMessage: string,
  failedPhase: string,
): ProcessOutput<ProcessCommand, never> =>
  queueCommand({ type: 'FailInstance', instanceId, errorCode, errorMessage, failedPhase });

/**
 * An unfinished snapshot is cancelled with its jobs; the record of a stopping instance is deleted when its pod has
 * ended.
 */
const end = (state: State, type: 'InstanceFailed' | 'InstanceStopping', instanceId: number): Outputs => {
  const pod = state.podOrdered ? deletePod(state, instanceId) : [];
  return [
    ...ALL_TIMERS.map((timer) => cancelTimer(timer)),
    queueCommand({ type: 'ReleaseSlot', instanceId }),
    ...giveUpSnapshot(state, instanceId),
    ...pod,
    ...(type === 'InstanceStopping' && pod.length === 0
      ? [queueCommand({ type: 'CompleteDeletion' as const, instanceId })]
      : []),
  ];
};

const giveUpSnapshot = ({ openSnapshotId: snapshotId }: State, instanceId: number): Outputs => {
  if (snapshotId === null) return [];
  const errorMessage = `Instance ${instanceId} ended before its snapshot ${snapshotId} was ready.`;
  return [queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'CANCELLED', errorMessage })];
};

const deleteSnapshot = (snapshotId: number | null): Outputs =>
  snapshotId === null ? [] : [queueCommand({ type: 'DeleteUnusableSnapshot', snapshotId })];

const deletePod = ({ urlSlug }: State, instanceId: number): Outputs =>
  urlSlug === null ? [] : [queueCommand({ type: 'DeletePod', instanceId, urlSlug })];

const onTimer = (timer: Timer, state: State, instanceId: number): Outputs => {
  switch (timer) {
    case 'reservation':
      return [queueCommand({ type: 'LapseReservation', instanceId })];
    case 'snapshot': {
      const message = `The snapshot was not ready after ${Math.ceil(state.snapshotSeconds / 60)} minutes.`;
      return [fail(instanceId, 'EXPORT_TIMEOUT', message, 'export')];
    }
    case 'startup': {
      const message = `The pod did not report running within ${DEADLINE.startup / 60} minutes.`;
      return [fail(instanceId, 'STARTUP_FAILED', message, 'startup')];
    }
  }
};

const onSuccess = (state: State, { type }: ProcessCommand, instanceId: number): Outputs => {
  if (type === 'DeletePod') return [queueCommand({ type: 'CompleteDeletion', instanceId })];
  if (!state.ended) return [];
  if (type === 'CreatePod') return deletePod(state, instanceId);
  return type === 'RequestSnapshot' ? giveUpSnapshot(state, instanceId) : [];
};

const onRefusal = (
  state: State,
  { command: { type }, message }: Extract<ProcessSignal<ProcessCommand>, { type: 'CommandRefused' }>['data'],
  instanceId: number,
): Outputs => {
  if (state.ended) return type === 'CreatePod' ? deletePod(state, instanceId) : [];
  if (type === 'CreatePod' || type === 'StartInstance') {
    return [fail(instanceId, 'STARTUP_FAILED', message, 'pod_creation')];
  }
  if (type === 'RequestSnapshot') return [fail(instanceId, 'DATA_LOAD_ERROR', message, 'export')];
  return type === 'ResizePod' ? [queueCommand({ type: 'RecordResizeFailure', instanceId, errorMessage: message })] : [];
};
