import { type CapacityEvent } from '../../../domain/capacity';
import { instanceStartup, type ProcessCommand } from '../../../domain/processes';
import {
  instanceDeleted,
  instanceFailed,
  instanceRequested,
  instanceRestarting,
  instanceRunning,
  instanceStarting,
  instanceStopping,
  SLUG,
  snapshotFailed,
  snapshotReady,
  snapshotRequested,
} from '../../support/domain-samples';
import { commandsOf, wants } from '../../support/given-when-then';

type Input = Parameters<typeof instanceStartup.processIdOf>[0];
type Signal = Exclude<Parameters<typeof instanceStartup.decide>[1], Input>;
type Timer = Extract<Signal, { type: 'TimerFired' }>['data']['timerId'];

const slot = { instanceId: 7, ownerUsername: 'ada' };
const slotReserved: CapacityEvent = { type: 'SlotReserved', data: slot };
const slotReleased: CapacityEvent = { type: 'SlotReleased', data: slot };
const fired = (timerId: Timer): Signal => ({ type: 'TimerFired', data: { timerId } });
const succeeded = (command: ProcessCommand): Signal => ({ type: 'CommandSucceeded', data: { command } });
const refused = (command: ProcessCommand): Signal => ({
  type: 'CommandRefused',
  data: { command, code: 'INVALID_STATE', message: 'because' },
});

const after = (...before: readonly Input[]) => ({
  on: (input: Input | Signal) => commandsOf(wants(instanceStartup, '7', before, input)),
  timers: (input: Input | Signal) =>
    wants(instanceStartup, '7', before, input).filter((output) => output.kind !== 'command'),
});

const releaseSlot: ProcessCommand = { type: 'ReleaseSlot', instanceId: 7 };
const createPod: ProcessCommand = { type: 'CreatePod', instanceId: 7 };
const deletePod: ProcessCommand = { type: 'DeletePod', instanceId: 7, urlSlug: SLUG };
const completeDeletion: ProcessCommand = { type: 'CompleteDeletion', instanceId: 7 };
const requestSnapshot: ProcessCommand = { type: 'RequestSnapshot', instanceId: 7 };
const giveUpSnapshot = expect.objectContaining({
  type: 'FailSnapshot',
  snapshotId: 3,
  errorCode: 'CANCELLED',
}) as object;
const fail = (errorCode: string, failedPhase: string) =>
  expect.objectContaining({ type: 'FailInstance', instanceId: 7, errorCode, failedPhase }) as object;

const waiting = [slotReserved, instanceRequested];
const starting = [...waiting, snapshotReady, instanceStarting];
const running = [...starting, instanceRunning];

describe('the startup of an instance', () => {
  it('releases the reservation when nothing is requested within a minute', () => {
    expect(after().timers(slotReserved)).toEqual([
      { kind: 'set_timer', timerId: 'reservation', dueAt: '2026-03-01T12:01:00.000Z' },
    ]);
    expect(after(slotReserved).on(fired('reservation'))).toEqual([{ type: 'LapseReservation', instanceId: 7 }]);
  });

  it('requests the snapshot after the instance is requested, and keeps the slot', () => {
    expect(after(slotReserved).on(instanceRequested)).toEqual([requestSnapshot]);
    expect(after(slotReserved).timers(instanceRequested)).toEqual([
      { kind: 'cancel_timer', timerId: 'reservation' },
      { kind: 'set_timer', timerId: 'snapshot', dueAt: '2026-03-01T14:00:00.000Z' },
    ]);
  });

  it('allows the snapshot the export time plus an hour to wait for workers', () => {
    const requested = { ...snapshotRequested, data: { ...snapshotRequested.data, exportMaxSeconds: 86_400 } };
    expect(after(...waiting).timers(requested)).toEqual([
      { kind: 'set_timer', timerId: 'snapshot', dueAt: '2026-03-02T13:00:00.000Z' },
    ]);
    expect(after(...waiting, requested).on(fired('snapshot'))).toMatchObject([
      { errorMessage: 'The snapshot was not ready after 1500 minutes.' },
    ]);
    expect(after(...waiting, instanceFailed).timers(requested)).toEqual([]);
  });

  it('fails an instance whose slot was released before it was requested', () => {
    expect(after(slotReserved, slotReleased).on(instanceRequested)).toEqual([fail('STARTUP_FAILED', 'reservation')]);
    expect(after(...waiting).on(slotReleased)).toEqual([fail('STARTUP_FAILED', 'reservation')]);
  });

  it('starts the instance in the size of its snapshot', () => {
    expect(after(...waiting).on(snapshotReady)).toEqual([
      { type: 'StartInstance', instanceId: 7, snapshotBytes: snapshotReady.data.sizeBytes },
    ]);
  });

  it('fails the instance with the reason of its snapshot', () => {
    const { errorCode, errorMessage } = snapshotFailed.data;
    expect(after(...waiting).on(snapshotFailed)).toEqual([
      { type: 'FailInstance', instanceId: 7, errorCode, errorMessage, failedPhase: 'export' },
    ]);
  });

  it.each([
    ['starts', instanceStarting],
    ['starts again', instanceRestarting],
  ])('creates the pod when the instance %s, with fifteen minutes to load', (_words, event) => {
    expect(after(...waiting, snapshotReady).on(event)).toEqual([createPod]);
    expect(after(...waiting, snapshotReady).timers(event)).toEqual([
      { kind: 'set_timer', timerId: 'startup', dueAt: '2026-03-01T12:15:00.000Z' },
    ]);
  });

  it('is completed when the instance runs', () => {
    expect(after(...starting).on(instanceRunning)).toEqual([]);
    expect(after(...starting).timers(instanceRunning)).toEqual([{ kind: 'cancel_timer', timerId: 'startup' }]);
  });

  describe('that exceeds its time limit', () => {
    it('fails in the export', () => {
      expect(after(...waiting).on(fired('snapshot'))).toEqual([fail('EXPORT_TIMEOUT', 'export')]);
    });
    it('fails in the pod', () => {
      expect(after(...starting).on(fired('startup'))).toEqual([fail('STARTUP_FAILED', 'startup')]);
    });
  });

  describe('whose command is rejected', () => {
    it.each([
      [createPod, fail('STARTUP_FAILED', 'pod_creation')],
      [{ type: 'StartInstance', instanceId: 7, snapshotBytes: 1 } as const, fail('STARTUP_FAILED', 'pod_creation')],
      [requestSnapshot, fail('DATA_LOAD_ERROR', 'export')],
    ])('fails with the reason of %j', (command, expected) => {
      expect(after(...waiting).on(refused(command))).toEqual([expected]);
    });

    it('continues where nothing depends on it', () => {
      expect(after(...running, instanceStopping).on(refused(completeDeletion))).toEqual([]);
    });
  });

  describe('that ends', () => {
    it('a failure frees the slot and deletes the pod', () => {
      expect(after(...starting).on(instanceFailed)).toEqual([releaseSlot, deletePod]);
    });

    it('a deletion frees the slot at once and completes when the pod is deleted', () => {
      expect(after(...running).on(instanceStopping)).toEqual([releaseSlot, deletePod]);
      expect(after(...running, instanceStopping).on(succeeded(deletePod))).toEqual([completeDeletion]);
    });

    it('an end before the snapshot is ready cancels the snapshot', () => {
      expect(after(...waiting).on(instanceFailed)).toEqual([releaseSlot, giveUpSnapshot]);
      expect(after(...waiting).on(instanceStopping)).toEqual([releaseSlot, giveUpSnapshot, completeDeletion]);
    });

    it('clears every timer', () => {
      const cleared = ['reservation', 'snapshot', 'startup'].map((timerId) => ({ kind: 'cancel_timer', timerId }));
      expect(after(...starting).timers(instanceFailed)).toEqual(cleared);
      expect(after(...starting).timers(instanceStopping)).toEqual(cleared);
    });

    it('ignores later events of its snapshot', () => {
      expect(after(...waiting, instanceStopping).on(snapshotReady)).toEqual([]);
      expect(after(...waiting, instanceFailed).on(snapshotFailed)).toEqual([]);
    });

    it('deletes its snapshot with the instance unless it was ready before', () => {
      const deleteSnapshot = { type: 'DeleteUnusableSnapshot', snapshotId: 3 };
      const stopped = [...waiting, instanceStopping];
      expect(after(...stopped, snapshotFailed).on(instanceDeleted)).toEqual([deleteSnapshot]);
      expect(after(...waiting, snapshotFailed, instanceFailed).on(instanceDeleted)).toEqual([deleteSnapshot]);
      expect(after(...stopped, instanceDeleted).on(snapshotFailed)).toEqual([deleteSnapshot]);
      expect(after(...stopped, instanceDeleted).on(snapshotReady)).toEqual([deleteSnapshot]);
      expect(after(...stopped, snapshotReady).on(instanceDeleted)).toEqual([]);
      expect(after(...running, instanceStopping).on(instanceDeleted)).toEqual([]);
    });

    it('ignores the release of its slot', () => {
      expect(after(...running, instanceStopping).on(slotReleased)).toEqual([]);
    });

    it('deletes a pod that was created meanwhile', () => {
      const ended = after(...starting, instanceStopping);
      expect(ended.on(succeeded(createPod))).toEqual([deletePod]);
      expect(ended.on(refused(createPod))).toEqual([deletePod]);
      expect(after(...starting).on(succeeded(createPod))).toEqual([]);
    });

    it('cancels a snapshot that was requested meanwhile', () => {
      expect(after(...waiting, instanceStopping).on(succeeded(requestSnapshot))).toEqual([giveUpSnapshot]);
      expect(after(...waiting).on(succeeded(requestSnapshot))).toEqual([]);
    });
  });
});
