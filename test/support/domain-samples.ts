import { DEFAULT_LIFECYCLE } from '../../domain/config';
import { type RowgraphEvent } from '../../domain/events';
import { FOR_EVERYONE, type InstanceEvent } from '../../domain/instance';
import { type CreateMapping, type EdgeDefinition, type NodeDefinition } from '../../domain/mapping';
import { type SnapshotEvent } from '../../domain/snapshot';

type EventOf<T extends RowgraphEvent['type']> = Extract<RowgraphEvent, { type: T }>;

export const personNode: NodeDefinition = {
  label: 'Person',
  sql: 'SELECT id, name FROM people',
  primary_key: { name: 'id', type: 'INT64' },
  properties: [{ name: 'name', type: 'STRING' }],
};

export const knowsEdge: EdgeDefinition = {
  type: 'KNOWS',
  sql: 'SELECT a, b, since FROM friends',
  from_key: 'a',
  to_key: 'b',
  from_node: 'Person',
  to_node: 'Person',
  properties: [{ name: 'since', type: 'DATE' }],
};

export const createMappingCommand = (changes: Partial<CreateMapping> = {}): CreateMapping => ({
  type: 'CreateMapping',
  mappingId: 1,
  ownerName: 'Ada L.',
  name: 'Friends',
  description: '',
  ttl: null,
  inactivityTimeout: null,
  limits: DEFAULT_LIFECYCLE.mapping,
  nodeDefinitions: [personNode],
  edgeDefinitions: [knowsEdge],
  ...changes,
});

/** An ops user, who sees all resources. */
export const OLIVIA = { username: 'olivia', role: 'ops' } as const;

export const SLUG = '11111111-2222-4333-8444-555555555555';
const ofInstance = { instanceId: 7, ownerUsername: 'ada' };

export const instanceRequested: Extract<InstanceEvent, { type: 'InstanceRequested' }> = {
  type: 'InstanceRequested',
  data: {
    ...ofInstance,
    urlSlug: SLUG,
    snapshotId: 3,
    mappingId: 1,
    mappingName: 'Friends',
    mappingVersion: 1,
    wrapperType: 'graphdb_a',
    name: 'My graph',
    description: '',
    ttl: 'PT24H',
    inactivityTimeout: 'PT4H',
    cpuCores: 2,
    access: FOR_EVERYONE,
  },
};

const pod = {
  ...ofInstance,
  urlSlug: SLUG,
  wrapperType: 'graphdb_a',
  memoryBytes: 4 * 1024 ** 3,
  cpuCores: 2,
  podName: `graph-${SLUG}-1`,
  snapshotBytes: 2_000,
  life: 1,
} as const;

export const instanceStarting = { type: 'InstanceStarting', data: pod } as const satisfies InstanceEvent;
export const instanceRestarting: EventOf<'InstanceRestarting'> = {
  type: 'InstanceRestarting',
  data: {
    ...pod,
    podName: `graph-${SLUG}-2`,
    life: 2,
    reason: 'restart',
    at: '2026-03-01T12:00:00.000Z',
    loadingCrash: null,
  },
};
export const instanceRunning = {
  type: 'InstanceRunning',
  data: { ...ofInstance, instanceUrl: null, nodeCount: 2, edgeCount: 1 },
} as const satisfies InstanceEvent;
export const instanceFailed: EventOf<'InstanceFailed'> = {
  type: 'InstanceFailed',
  data: { ...ofInstance, errorCode: 'STARTUP_FAILED', errorMessage: 'no', failedPhase: 'startup', stackTrace: null },
};
export const instanceInterrupted = {
  type: 'InstanceInterrupted',
  data: { ...ofInstance, life: 1 },
} as const satisfies InstanceEvent;
export const instanceStopping = {
  type: 'InstanceStopping',
  data: { ...ofInstance, reason: 'deleted by ada' },
} as const satisfies InstanceEvent;
export const instanceDeleted = {
  type: 'InstanceDeleted',
  data: { ...ofInstance, reason: 'deleted by ada' },
} as const satisfies InstanceEvent;

export const instanceAbandoned: EventOf<'InstanceAbandoned'> = { type: 'InstanceAbandoned', data: { instanceId: 7 } };

const ofSnapshot = { snapshotId: 3, instanceId: 7 };

export const snapshotRequested: Extract<SnapshotEvent, { type: 'SnapshotRequested' }> = {
  type: 'SnapshotRequested',
  data: {
    ...ofSnapshot,
    mappingId: 1,
    mappingName: 'Friends',
    mappingVersion: 1,
    ownerUsername: 'ada',
    name: 'Snapshot of Friends v1',
    storagePath: 'ada/1/v1/3/',
    ttl: 'P7D',
    inactivityTimeout: 'P3D',
    exportMaxSeconds: 3600,
    jobs: [
      { jobId: 11, jobType: 'node', entityName: 'Person' },
      { jobId: 12, jobType: 'edge', entityName: 'KNOWS' },
    ],
  },
};
export const snapshotStarted: EventOf<'SnapshotExportStarted'> = { type: 'SnapshotExportStarted', data: ofSnapshot };
export const snapshotReady: Extract<SnapshotEvent, { type: 'SnapshotReady' }> = {
  type: 'SnapshotReady',
  data: { ...ofSnapshot, sizeBytes: 300, nodeCounts: { Person: 2 }, edgeCounts: { KNOWS: 1 } },
};
export const snapshotFailed: Extract<SnapshotEvent, { type: 'SnapshotFailed' }> = {
  type: 'SnapshotFailed',
  data: {
    ...ofSnapshot,
    errorCode: 'DATA_LOAD_ERROR',
    errorMessage: 'node Person: no such table',
    failedStep: null,
    nodeCounts: {},
    edgeCounts: {},
  },
};
export const snapshotDeleted: Extract<SnapshotEvent, { type: 'SnapshotDeleted' }> = {
  type: 'SnapshotDeleted',
  data: { ...ofSnapshot, mappingId: 1, storagePath: 'ada/1/v1/3/', reason: 'no use' },
};

const ofJob = (jobId: number) => ({ jobId, snapshotId: 3 });

export const jobPlanned = (jobId = 11): EventOf<'ExportJobPlanned'> => ({
  type: 'ExportJobPlanned',
  data: {
    ...ofJob(jobId),
    ...{ instanceId: 7, ownerUsername: 'ada', mappingOwner: 'ada' },
    jobType: 'node',
    entityName: 'Person',
    sql: personNode.sql,
    columnNames: ['id', 'name'],
    catalog: null,
    storagePath: 'ada/1/v1/3/nodes/Person/',
  },
});
export const jobClaimed = (
  jobId = 11,
  attempt = 1,
  leaseUntil = '2026-03-01T12:10:00.000Z',
): EventOf<'ExportJobClaimed'> => ({
  type: 'ExportJobClaimed',
  data: { ...ofJob(jobId), workerId: 'w1', attempt, leaseUntil },
});
export const jobSubmitted = (jobId = 11, nextPollAt = '2026-03-01T12:00:02.000Z'): EventOf<'ExportJobSubmitted'> => ({
  type: 'ExportJobSubmitted',
  data: {
    ...ofJob(jobId),
    queryId: 'q1',
    nextUri: 'http://engine/1',
    nextPollAt,
    pollCount: 0,
    submittedAt: '2026-03-01T12:00:00.000Z',
    ownedByWorker: false,
  },
});
export const jobLeaseExpired = (jobId = 11, attempt = 1): EventOf<'ExportJobLeaseExpired'> => ({
  type: 'ExportJobLeaseExpired',
  data: { ...ofJob(jobId), attempt, workerId: 'w1', reason: 'the worker did not report within its lease' },
});
export const jobReturned = (jobId = 11, attempt = 1, returned = 1): EventOf<'ExportJobReturned'> => ({
  type: 'ExportJobReturned',
  data: { ...ofJob(jobId), attempt, workerId: 'w1', returned },
});
export const jobCompleted = (jobId = 11, rowCount = 2): EventOf<'ExportJobCompleted'> => ({
  type: 'ExportJobCompleted',
  data: { ...ofJob(jobId), rowCount, sizeBytes: 100, attempt: 1, completedAt: '2026-03-01T12:00:00.000Z' },
});
export const jobFailed = (jobId = 11, errorCode = 'DATA_LOAD_ERROR'): EventOf<'ExportJobFailed'> => ({
  type: 'ExportJobFailed',
  data: { ...ofJob(jobId), errorCode, errorMessage: 'no such table' },
});
