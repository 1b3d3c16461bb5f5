import { readConnectionTo } from '../../adapters/postgres/connection';
import { createPostgresTelemetryStore } from '../../adapters/postgres/postgres-telemetry-store';
import { lifeDirectory } from '../../queries/ending-resources';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import {
  createProjectionFixture,
  type ProjectionFixture,
  type RunningProjections,
} from '../projections/projection-fixture';
import { appendEvents, mappingCreated } from '../projections/sample-events';
import { instanceRequested, jobPlanned, snapshotRequested } from '../support/domain-samples';

let fixture: ProjectionFixture;
let projections: RunningProjections;
let db: ReadDatabase;
beforeAll(async () => {
  fixture = await createProjectionFixture();
  projections = fixture.run();
  db = openReadDatabase(readConnectionTo(fixture.connectionString));
});
afterAll(async () => {
  await db.destroy();
  await projections.stop();
  await fixture.close();
});

const at = (text: string): string => `2026-03-${text}:00.000Z`;
const ids = (instanceId: number) => ({ instanceId, ownerUsername: 'ada' });
const request = (instanceId: number, ttl: string | null = 'PT24H') =>
  appendEvents(
    fixture.store,
    `instance-${instanceId}`,
    [
      {
        type: 'InstanceRequested',
        data: {
          ...instanceRequested.data,
          ...ids(instanceId),
          urlSlug: `slug-${instanceId}`,
          ttl,
          snapshotId: instanceId,
        },
      },
    ],
    at('01T12:00'),
  );
const append = (instanceId: number, type: string, when: string, data: object = {}) =>
  appendEvents(fixture.store, `instance-${instanceId}`, [{ type, data: { ...ids(instanceId), ...data } }], when);
const running = { instanceUrl: null, nodeCount: 1, edgeCount: 1 };
const failure = { errorCode: 'X', errorMessage: 'x', failedPhase: null, stackTrace: null };

describe('the expired resources', () => {
  it('are instances past their ttl, unused ones, and those that failed a day ago', async () => {
    for (const [id, ttl] of [
      [1, 'PT24H'],
      [2, null],
      [3, null],
      [4, 'P1W'],
      [5, 'PT24H'],
    ] as const) {
      await request(id, ttl);
    }
    await append(2, 'InstanceRunning', at('01T12:10'), running);
    await append(3, 'InstanceRunning', at('01T12:10'), running);
    await append(4, 'InstanceFailed', at('01T12:10'), failure);
    await append(5, 'InstanceStopping', at('01T12:10'), { reason: 'x' });
    await projections.caughtUp();
    const telemetry = createPostgresTelemetryStore(fixture.pool);
    await telemetry.saveMetrics(3, { last_activity_at: at('01T15:00') });
    await telemetry.saveMetrics(2, { memory_usage_bytes: 7 });
    const { endingInstances, lastActivityOf } = lifeDirectory(db);
    const ending = (when: string) => endingInstances(new Date(at(when)));

    expect(await ending('01T16:09')).toEqual([]);
    expect(await ending('01T16:10')).toEqual([2]);
    expect(await ending('01T19:00')).toEqual([2, 3]);
    expect(await ending('02T12:00')).toEqual([1, 2, 3, 4]);

    // A pod whose clock is behind reports after another one has.
    await telemetry.saveMetrics(3, { last_activity_at: at('01T14:00'), memory_usage_bytes: 9 });
    expect(await lastActivityOf(3)).toEqual(new Date(at('01T15:00')));
    await telemetry.saveMetrics(3, { last_activity_at: at('01T18:00') });
    expect(await lastActivityOf(3)).toEqual(new Date(at('01T18:00')));
    expect(await lastActivityOf(2)).toBeNull();
    expect(await lastActivityOf(99)).toBeNull();
  });

  it('are snapshots without instances, failed ones of deleted instances at once, and mappings without snapshots', async () => {
    const { data } = snapshotRequested;
    const { data: planned } = jobPlanned(1);
    for (const id of [11, 12, 13, 14]) {
      const snapshot = { ...data, snapshotId: id, instanceId: id, mappingId: 21 };
      await appendEvents(
        fixture.store,
        `snapshot-${id}`,
        [{ type: 'SnapshotRequested', data: snapshot }],
        at('01T12:00'),
      );
      await appendEvents(fixture.store, `export_job-${id}`, [
        { type: 'ExportJobPlanned', data: { ...planned, jobId: id, snapshotId: id } },
      ]);
    }
    await request(12);
    await request(14);
    const failed = { errorCode: 'X', errorMessage: 'x', failedStep: null, nodeCounts: {}, edgeCounts: {} };
    for (const id of [13, 14]) {
      const data = { snapshotId: id, instanceId: id, ...failed };
      await appendEvents(fixture.store, `snapshot-${id}`, [{ type: 'SnapshotFailed', data }], at('01T12:00'));
    }
    for (const id of [21, 22]) {
      await appendEvents(fixture.store, `mapping-${id}`, [mappingCreated(id)], at('01T12:00'));
    }
    await projections.caughtUp();
    const { endingSnapshots, endingMappings } = lifeDirectory(db);
    expect(await endingSnapshots(new Date(at('04T11:59')))).toEqual([13]);
    expect(await endingSnapshots(new Date(at('04T12:00')))).toEqual([11, 13]);
    expect(await endingMappings(new Date(at('31T11:59')))).toEqual([]);
    expect(await endingMappings(new Date(at('31T12:00')))).toEqual([22]);
  });
});
