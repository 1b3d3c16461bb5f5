import { type CapacityEvent } from '../capacity';
import { type InstanceEvent } from '../instance';
import {
  cancelTimer,
  queueCommand,
  type Process,
  type ProcessOutput,
  type ProcessSignal,
  setTimer,
} from '../kernel/process';
import { type SnapshotEvent } from '../snapshot';
import { type ProcessCommand } from './commands';

type Input =
  | CapacityEvent
  | InstanceEvent
  | Extract<SnapshotEvent, { type: 'SnapshotRequested' | 'SnapshotReady' | 'SnapshotFailed' }>;

interface State {
  /** Address part of the pod, known from the request on. */
  readonly urlSlug: string | null;
  /** The snapshot while nothing has become of it. */
  readonly openSnapshotId: number | null;
  /** Seconds the snapshot may take. */
  readonly snapshotSeconds: number;
  /** A pod may exist. */
  readonly podOrdered: boolean;
  /** The place in the limits was given back. */
  readonly slotReleased: boolean;
  readonly ended: boolean;
}

/** Seconds an instance may wait in each state before it is given up. */
export const DEADLINE = { reservation: 60, snapshot: 2 * 3600, startup: 15 * 60 };
/** Seconds a snapshot may take beyond its longest export: jobs wait for workers. */
const EXPORT_QUEUE_SECONDS = 3600;

const LAPSED = 'The place reserved for the instance lapsed before it was requested. Create it again.';

/**
 * Leads one instance from its reserved slot to a running pod, and cleans up after it however it ends:
 * slot → request → snapshot → pod → running; failed or stopping → slot free, snapshot given up, pod gone.
 *
 * Commands are executed side by side. One that makes something may therefore finish after the one that was to remove
 * it: what it made is removed when it reports success.
 */
export const instanceStartup: Process<Input, State, ProcessCommand> = {
  name: 'instance_startup',
  listensTo: [
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
    'SnapshotRequested',
    'SnapshotReady',
    'SnapshotFailed',
  ],
  processIdOf: (event) => String(event.data.instanceId),
  initial: {
    urlSlug: null,
    openSnapshotId: null,
    snapshotSeconds: DEADLINE.snapshot,
    podOrdered: false,
    slotReleased: false,
    ended: false,
  },

  evolve: (state, input) => {
    switch (input.type) {
      case 'InstanceRequested':
        return { ...state, urlSlug: input.data.urlSlug, openSnapshotId: input.data.snapshotId };
      case 'SnapshotRequested':
        return { ...state, snapshotSeconds: snapshotSeconds(input.data) };
      case 'SnapshotReady':
      case 'SnapshotFailed':
        return { ...state, openSnapshotId: null };
      case 'InstanceStarting':
      case 'InstanceRestarting':
        return { ...state, podOrdered: true };
      case 'SlotReleased':
        return { ...state, slotReleased: true };
      case 'InstanceFailed':
      case 'InstanceStopping':
        return { ...state, ended: true };
      default:
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
          ? []
          : [
              cancelTimer('snapshot'),
              queueCommand({ type: 'StartInstance', instanceId, snapshotBytes: input.data.sizeBytes }),
            ];
      case 'SnapshotFailed':
        return state.ended
          ? []
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
      case 'TimerFired':
        return onTimer(input.data.timerId, state, instanceId);
      case 'CommandRefused':
        return onRefusal(state, input, instanceId);
      case 'CommandSucceeded':
        return onSuccess(state, input.data.command, instanceId);
      default:
        return [];
    }
  },
};

/** Seconds a requested snapshot may take. */
export const snapshotSeconds = ({ exportMaxSeconds }: { readonly exportMaxSeconds: number }): number =>
  exportMaxSeconds + EXPORT_QUEUE_SECONDS;

const timers = (): readonly ProcessOutput<never>[] => Object.keys(DEADLINE).map(cancelTimer);

const fail = (
  instanceId: number,
  errorCode: string,
  errorMessage: string,
  failedPhase: string,
): ProcessOutput<ProcessCommand> =>
  queueCommand({ type: 'FailInstance', instanceId, errorCode, errorMessage, failedPhase });

/** An unfinished snapshot is given up with its jobs; the record of a stopping instance goes when its pod is gone. */
const end = (
  state: State,
  type: 'InstanceFailed' | 'InstanceStopping',
  instanceId: number,
): readonly ProcessOutput<ProcessCommand>[] => {
  const pod = state.podOrdered ? deletePod(state, instanceId) : [];
  return [
    ...timers(),
    queueCommand({ type: 'ReleaseSlot', instanceId }),
    ...giveUpSnapshot(state, instanceId),
    ...pod,
    ...(type === 'InstanceStopping' && pod.length === 0
      ? [queueCommand({ type: 'CompleteDeletion' as const, instanceId })]
      : []),
  ];
};

const giveUpSnapshot = (
  { openSnapshotId: snapshotId }: State,
  instanceId: number,
): readonly ProcessOutput<ProcessCommand>[] => {
  if (snapshotId === null) return [];
  const errorMessage = `Instance ${instanceId} ended before its snapshot ${snapshotId} was ready.`;
  return [queueCommand({ type: 'FailSnapshot', snapshotId, errorCode: 'CANCELLED', errorMessage })];
};

const deletePod = ({ urlSlug }: State, instanceId: number): readonly ProcessOutput<ProcessCommand>[] =>
  urlSlug === null ? [] : [queueCommand({ type: 'DeletePod', instanceId, urlSlug })];

const onTimer = (timerId: string, state: State, instanceId: number): readonly ProcessOutput<ProcessCommand>[] => {
  if (timerId === 'reservation') return [queueCommand({ type: 'LapseReservation', instanceId })];
  if (timerId === 'snapshot') {
    const minutes = Math.ceil(state.snapshotSeconds / 60);
    return [fail(instanceId, 'EXPORT_TIMEOUT', `The snapshot was not ready after ${minutes} minutes.`, 'export')];
  }
  const minutes = DEADLINE.startup / 60;
  return [fail(instanceId, 'STARTUP_FAILED', `The pod did not report running within ${minutes} minutes.`, 'startup')];
};

const onSuccess = (
  state: State,
  command: ProcessCommand,
  instanceId: number,
): readonly ProcessOutput<ProcessCommand>[] => {
  switch (command.type) {
    case 'DeletePod':
      return [queueCommand({ type: 'CompleteDeletion', instanceId })];
    case 'CreatePod':
      return state.ended ? deletePod(state, instanceId) : [];
    case 'RequestSnapshot':
      return state.ended ? giveUpSnapshot(state, instanceId) : [];
    default:
      return [];
  }
};

const onRefusal = (
  state: State,
  { data: { command, message } }: Extract<ProcessSignal<ProcessCommand>, { type: 'CommandRefused' }>,
  instanceId: number,
): readonly ProcessOutput<ProcessCommand>[] => {
  if (state.ended) return command.type === 'CreatePod' ? deletePod(state, instanceId) : [];
  switch (command.type) {
    case 'CreatePod':
    case 'StartInstance':
      return [fail(instanceId, 'STARTUP_FAILED', message, 'pod_creation')];
    case 'RequestSnapshot':
      return [fail(instanceId, 'DATA_LOAD_ERROR', message, 'export')];
    case 'ResizePod':
      return [queueCommand({ type: 'RecordResizeFailure', instanceId, errorMessage: message })];
    default:
      return [];
  }
};
