import { type ExportJob, exportJob, type ExportJobEvent, exportJobEvents } from '../../domain/export-job';
import { type Instance, instance, type InstanceEvent, instanceEvents } from '../../domain/instance';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { decodeEvent } from '../../domain/kernel/event-catalogue';
import { type ExportJobQueue, type InstanceDirectory } from '../../domain/ports/directories';
import { type EventStore } from '../../domain/ports/event-store';
import { type Snapshot, snapshot, type SnapshotEvent, snapshotEvents } from '../../domain/snapshot';
import { expectRight } from '../support/given-when-then';

interface StreamTimes {
  readonly createdAt: number;
  readonly changedAt: number;
}

/** The state folded from the log, which is read to its end at each request. */
export interface LogReaders {
  readonly queue: ExportJobQueue;
  readonly directory: InstanceDirectory;
  readonly instances: ReadonlyMap<number, Instance>;
  readonly snapshots: ReadonlyMap<number, Snapshot>;
  readonly jobs: ReadonlyMap<number, ExportJob>;
  /** The folders for the files of jobs. */
  readonly storagePaths: ReadonlyMap<number, string>;
  /** The folders for the files of snapshots, including deleted ones. */
  readonly snapshotPaths: ReadonlyMap<number, string>;
  /** The times of the first and the last event of a stream, in milliseconds. */
  timesOf(streamId: string): StreamTimes;
  refresh(): Promise<void>;
}

export type LoggedEvent = InstanceEvent | SnapshotEvent | ExportJobEvent;

/** `onEvent` is called once for each event, after the states include it. */
export const createLogReaders = (
  store: EventStore,
  onEvent: (event: LoggedEvent) => void = () => undefined,
): LogReaders => {
  const instances = new Map<number, Instance>();
  const snapshots = new Map<number, Snapshot>();
  const jobs = new Map<number, ExportJob>();
  const storagePaths = new Map<number, string>();
  const snapshotPaths = new Map<number, string>();
  const times = new Map<string, StreamTimes>();
  let position: Position = START;

  const take = (stored: StoredEvent): void => {
    const changedAt = Date.parse(stored.metadata.occurredAt);
    times.set(stored.streamId, { createdAt: times.get(stored.streamId)?.createdAt ?? changedAt, changedAt });
    if (stored.type in instanceEvents) {
      const event = expectRight(decodeEvent(instanceEvents, stored));
      const { instanceId } = event.data;
      set(instances, instanceId, instance.evolve(instances.get(instanceId) ?? null, event));
      onEvent(event);
    } else if (stored.type in snapshotEvents) {
      const event = expectRight(decodeEvent(snapshotEvents, stored));
      const { snapshotId } = event.data;
      if (event.type === 'SnapshotRequested') snapshotPaths.set(snapshotId, event.data.storagePath);
      set(snapshots, snapshotId, snapshot.evolve(snapshots.get(snapshotId) ?? null, event));
      onEvent(event);
    } else if (stored.type in exportJobEvents) {
      const event = expectRight(decodeEvent(exportJobEvents, stored));
      const { jobId } = event.data;
      set(jobs, jobId, exportJob.evolve(jobs.get(jobId) ?? null, event));
      if (event.type === 'ExportJobPlanned') storagePaths.set(jobId, event.data.storagePath);
      onEvent(event);
    }
  };

  const refresh = async (): Promise<void> => {
    const from = position;
    const page = expectRight(await store.readAll(from, 1_000_000));
    // A concurrent refresh has read the same events.
    if (position !== from) return;
    position = page.position;
    page.events.forEach(take);
  };

  return {
    instances,
    snapshots,
    jobs,
    storagePaths,
    snapshotPaths,
    timesOf: (streamId) => times.get(streamId) ?? { createdAt: 0, changedAt: 0 },
    refresh,
    queue: {
      claimable: async (limit) => {
        await refresh();
        const pending = [...jobs.values()].filter(({ status }) => status === 'pending');
        return pending.slice(0, limit);
      },
      heldBy: async (workerId) => {
        await refresh();
        return [...jobs.values()]
          .filter((job) => 'workerId' in job && job.workerId === workerId)
          .map(({ jobId, attempt }) => ({ jobId, attempt }));
      },
    },
    directory: {
      unsettled: async () => {
        await refresh();
        const open = ['waiting_for_snapshot', 'starting', 'running', 'stopping'];
        return [...instances.values()]
          .filter(({ status }) => open.includes(status))
          .map(({ instanceId }) => instanceId);
      },
      memoryUse: () => Promise.resolve([]),
    },
  };
};

const set = <S>(states: Map<number, S>, id: number, state: S | null): void => {
  if (state === null) states.delete(id);
  else states.set(id, state);
};
