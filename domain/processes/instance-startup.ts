import { type CapacityEvent } from '../capacity';
import { type InstanceEvent } from '../instance';
import { cancelTimer, order, type Process, type ProcessOutput, type ProcessSignal, setTimer } from '../kernel/process';
import { type SnapshotEvent } from '../snapshot';
import { type ProcessCommand } from './commands';

type Input = CapacityEvent | InstanceEvent | Extract<SnapshotEvent, { type: 'SnapshotReady' | 'SnapshotFailed' }>;

interface State {
  /** Address part of the pod, known from the request on. */
  readonly urlSlug: string | null;
  /** The snapshot while nothing has become of it. */
  readonly openSnapshotId: number | null;
  /** A pod may exist. */
  readonly podOrdered: boolean;
  readonly ended: boolean;
}

/** Seconds an instance may wait in each state before it is given up. */
const DEADLINE = { reservation: 60, snapshot: 2 * 3600, startup: 15 * 60 };

/**
 * Leads one instance from its reserved slot to a running pod, and cleans up after it however it ends:
 * slot → request → snapshot → pod → running; failed or stopping → pod gone → slot free.
 */
export const instanceStartup: Process<Input, State, ProcessCommand> = {
  name: 'instance_startup',
  listensTo: [
    'SlotReserved',
    'InstanceRequested',
    'InstanceStarting',
    'InstanceRestarting',
    'InstanceRunning',
    'InstanceFailed',
    'InstanceStopping',
    'InstanceDeleted',
    'SnapshotReady',
    'SnapshotFailed',
  ],
  processIdOf: (event) => String(event.data.instanceId),
  initial: { urlSlug: null, openSnapshotId: null, podOrdered: false, ended: false },

  evolve: (state, input) => {
    switch (input.type) {
      case 'InstanceRequested':
        return { ...state, urlSlug: input.data.urlSlug, openSnapshotId: input.data.snapshotId };
      case 'SnapshotReady':
      case 'SnapshotFailed':
        return { ...state, openSnapshotId: null };
      case 'InstanceStarting':
      case 'InstanceRestarting':
        return { ...state, podOrdered: true };
      case 'InstanceFailed':
      case 'InstanceStopping':
      case 'InstanceDeleted':
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
      case 'InstanceRequested':
        return [
          cancelTimer('reservation'),
          order({ type: 'RequestSnapshot', instanceId }),
          setTimer('snapshot', now, DEADLINE.snapshot),
        ];
      case 'SnapshotReady':
        return state.ended
          ? []
          : [
              cancelTimer('snapshot'),
              order({ type: 'StartInstance', instanceId, snapshotBytes: input.data.sizeBytes }),
            ];
      case 'SnapshotFailed':
        return state.ended
          ? []
          : [cancelTimer('snapshot'), fail(instanceId, input.data.errorCode, input.data.errorMessage, 'export')];
      case 'InstanceStarting':
      case 'InstanceRestarting':
        return [order({ type: 'CreatePod', instanceId }), setTimer('startup', now, DEADLINE.startup)];
      case 'InstanceRunning':
        return [cancelTimer('startup')];
      case 'InstanceFailed':
      case 'InstanceStopping':
        return end(state, input.type, instanceId);
      case 'InstanceDeleted':
        return [...timers(), order({ type: 'ReleaseSlot', instanceId })];
      case 'TimerFired':
        return onTimer(input.data.timerId, instanceId);
      case 'CommandRefused':
        return onRefusal(input, instanceId);
      case 'CommandSucceeded':
        return input.data.command.type === 'DeletePod' ? [order({ type: 'CompleteDeletion', instanceId })] : [];
      case 'SlotReleased':
        return [];
    }
  },
};

const timers = (): readonly ProcessOutput<never>[] => Object.keys(DEADLINE).map(cancelTimer);

const fail = (
  instanceId: number,
  errorCode: string,
  errorMessage: string,
  failedPhase: string,
): ProcessOutput<ProcessCommand> => order({ type: 'FailInstance', instanceId, errorCode, errorMessage, failedPhase });

/** The pod goes first, then the slot; an unfinished snapshot is given up with its jobs. */
const end = (
  state: State,
  type: 'InstanceFailed' | 'InstanceStopping',
  instanceId: number,
): ProcessOutput<ProcessCommand>[] => {
  const outputs: ProcessOutput<ProcessCommand>[] = [...timers()];
  const { openSnapshotId: snapshotId, urlSlug } = state;
  if (snapshotId !== null) {
    const errorMessage = `Instance ${instanceId} ended before its snapshot ${snapshotId} was ready.`;
    outputs.push(order({ type: 'FailSnapshot', snapshotId, errorCode: 'CANCELLED', errorMessage }));
  }
  const podMayExist = state.podOrdered && urlSlug !== null;
  if (podMayExist) outputs.push(order({ type: 'DeletePod', instanceId, urlSlug }));
  if (type === 'InstanceFailed') outputs.push(order({ type: 'ReleaseSlot', instanceId }));
  else if (!podMayExist) outputs.push(order({ type: 'CompleteDeletion', instanceId }));
  return outputs;
};

const onTimer = (timerId: string, instanceId: number): readonly ProcessOutput<ProcessCommand>[] => {
  if (timerId === 'reservation') return [order({ type: 'ReleaseSlot', instanceId })];
  if (timerId === 'snapshot') {
    const minutes = DEADLINE.snapshot / 60;
    return [fail(instanceId, 'EXPORT_TIMEOUT', `The snapshot was not ready after ${minutes} minutes.`, 'export')];
  }
  const minutes = DEADLINE.startup / 60;
  return [fail(instanceId, 'STARTUP_FAILED', `The pod did not report running within ${minutes} minutes.`, 'startup')];
};

const onRefusal = (
  { data: { command, message } }: Extract<ProcessSignal<ProcessCommand>, { type: 'CommandRefused' }>,
  instanceId: number,
): readonly ProcessOutput<ProcessCommand>[] => {
  switch (command.type) {
    case 'CreatePod':
    case 'StartInstance':
      return [fail(instanceId, 'STARTUP_FAILED', message, 'pod_creation')];
    case 'RequestSnapshot':
      return [fail(instanceId, 'DATA_LOAD_ERROR', message, 'export')];
    default:
      return [];
  }
};
