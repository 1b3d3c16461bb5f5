import { type RowgraphEvent } from '../../domain/events';
import { type EventStore } from '../../domain/ports/event-store';
import { appendNext } from '../support/append-next';
import { createMappingCommand, instanceRequested, jobPlanned, snapshotRequested } from '../support/domain-samples';
import { expectRight } from '../support/given-when-then';
import { createInMemoryIdGenerator } from '../support/in-memory/in-memory-id-generator';

const ids = createInMemoryIdGenerator();

/** Appends events to a stream at any revision. */
export const appendEvents = async (
  store: EventStore,
  streamId: string,
  events: readonly { readonly type: string; readonly data: unknown }[],
  occurredAt = '2026-03-01T12:00:00.000Z',
) => {
  const commandId = ids.uuid();
  const metadata = {
    ...{ commandId, correlationId: commandId, causationId: commandId },
    ...{ actor: 'ada', role: 'analyst', occurredAt },
  };
  const newEvents = events.map((event) => ({ ...event, id: ids.uuid(), schemaVersion: 1, metadata }));
  return expectRight(await appendNext(store, streamId, newEvents));
};

export const mappingCreated = (
  mappingId: number,
  changes: { readonly name?: string; readonly description?: string } = {},
) => {
  const { type: _type, limits: _limits, ...rest } = createMappingCommand({ mappingId, ...changes });
  return {
    type: 'MappingCreated',
    data: { ...rest, inactivityTimeout: 'P30D', ownerUsername: 'ada' },
  } satisfies RowgraphEvent;
};

/** One instance with snapshot and job, from its request to running, and every third one to its deletion. */
export const appendInstance = async (store: EventStore, n: number): Promise<void> => {
  const ofInstance = { instanceId: n, ownerUsername: `user-${n % 4}` };
  const ofJob = { jobId: n, snapshotId: n };
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const requested = {
    ...instanceRequested.data,
    ...ofInstance,
    snapshotId: n,
    urlSlug: `slug-${n}`,
    name: `graph ${n}`,
  };
  const { data: planned } = jobPlanned(n);
  const pod = {
    ...ofInstance,
    ...{ urlSlug: `slug-${n}`, wrapperType: 'graphdb_a', memoryBytes: 4096, cpuCores: 2 },
    ...{ podName: `graph-slug-${n}-1`, snapshotBytes: n, life: 1 },
  };
  await appendEvents(store, `instance-${n}`, [{ type: 'InstanceRequested', data: requested }], at);
  await appendEvents(store, `snapshot-${n}`, [
    { type: 'SnapshotRequested', data: { ...snapshotRequested.data, snapshotId: n, instanceId: n } },
  ]);
  await appendEvents(store, `export_job-${n}`, [
    { type: 'ExportJobPlanned', data: { ...planned, ...ofJob } },
    {
      type: 'ExportJobClaimed',
      data: { ...ofJob, workerId: 'w1', attempt: 1, leaseUntil: '2026-03-01T12:10:00.000Z' },
    },
    {
      type: 'ExportJobCompleted',
      data: { ...ofJob, rowCount: n, sizeBytes: n, attempt: 1, completedAt: '2026-03-01T12:01:00.000Z' },
    },
  ]);
  await appendEvents(store, `instance-${n}`, [
    { type: 'InstanceStarting', data: pod },
    { type: 'InstanceRunning', data: { ...ofInstance, instanceUrl: null, nodeCount: n, edgeCount: n } },
    ...(n % 3 === 0
      ? [
          { type: 'InstanceStopping', data: { ...ofInstance, reason: 'deleted' } },
          { type: 'InstanceDeleted', data: { ...ofInstance, reason: 'deleted' } },
        ]
      : []),
  ]);
};
