import { sha256 } from '../../adapters/system/sha256';
import { auditTrailProjection } from '../../projections/audit-trail';
import { type Difference } from '../../projections/compare-tables';
import { exportJobsProjection } from '../../projections/export-jobs';
import { instancesProjection } from '../../projections/instances';
import { schemaOf } from '../../projections/projection-tables';
import { readModels } from '../../projections/replay-schema';
import { sealsProjection } from '../../projections/seals';
import { verify } from '../../projections/verify';
import { sealLog } from '../support/seal-log';
import { createProjectionFixture, type ProjectionFixture } from './projection-fixture';
import { appendEvents, appendInstance, mappingCreated } from './sample-events';

const INSTANCES = `${schemaOf(instancesProjection, 0)}.instances`;
const JOBS = `${schemaOf(exportJobsProjection, 0)}.export_jobs`;
const NOW = new Date('2126-01-01T00:00:00.000Z');

/** A damage, as SQL, and how it is named. */
type Damage = readonly [name: string, sql: string, expected: Partial<Difference>];
const OF_INSTANCES = { read_model: 'instances' } as const;
const DAMAGES: readonly Damage[] = [
  [
    'a changed row',
    `UPDATE ${INSTANCES} SET name = 'x' WHERE id = 1`,
    { kind: 'value', ...OF_INSTANCES, key: '1', column: 'name', expected: 'graph 1', actual: 'x' },
  ],
  [
    'a changed list',
    `UPDATE ${INSTANCES} SET access_users = '{eve}' WHERE id = 1`,
    { kind: 'value', column: 'access_users' },
  ],
  ['a missing row', `DELETE FROM ${INSTANCES} WHERE id = 2`, { kind: 'missing_row', ...OF_INSTANCES, key: '2' }],
  [
    'an extra row',
    `UPDATE ${JOBS} SET id = 99 WHERE id = 2`,
    { kind: 'extra_row', read_model: 'export_jobs', key: '99' },
  ],
  [
    'a checkpoint behind the end of the log',
    `UPDATE es.subscriptions SET position = 1000000 WHERE name = 'instances'`,
    { kind: 'checkpoint', ...OF_INSTANCES, actual: '1000000' },
  ],
  [
    'a checkpoint that was moved back',
    `UPDATE es.subscriptions SET position = 1 WHERE name = 'instances'`,
    { kind: 'checkpoint', ...OF_INSTANCES, actual: '1' },
  ],
  [
    'data that cannot be decoded',
    `UPDATE es.events SET data = data - 'name' WHERE stream_id = 'instance-1' AND revision = 0`,
    { kind: 'log', key: 'instance-1@0', column: 'data' },
  ],
  [
    'other data',
    `UPDATE es.events SET data = jsonb_set(data, '{name}', '"other"') WHERE stream_id = 'instance-1' AND revision = 0`,
    { kind: 'value', key: '1', column: 'name', expected: 'other', actual: 'graph 1' },
  ],
  [
    'a removed event',
    `DELETE FROM es.events WHERE stream_id = 'export_job-1' AND revision = 1`,
    { kind: 'log', key: 'export_job-1@2', column: 'revision', expected: 1, actual: 2 },
  ],
  [
    'a repeated id',
    `UPDATE es.events SET id = (SELECT id FROM es.events WHERE stream_id = 'instance-1' AND revision = 0)
     WHERE stream_id = 'instance-2' AND revision = 0`,
    { kind: 'log', key: 'instance-2@0', column: 'id' },
  ],
  [
    'a gap between versions',
    `UPDATE es.events SET data = jsonb_set(data, '{version}', '7') WHERE type = 'MappingVersionCreated'`,
    { kind: 'invariant', key: 'mapping 1', column: 'versions' },
  ],
  [
    'a snapshot that is ready without its jobs',
    `UPDATE es.events SET type = 'ExportJobFailed', data = data || '{"errorCode": "X", "errorMessage": "x"}'
     WHERE type = 'ExportJobCompleted' AND stream_id = 'export_job-1'`,
    { kind: 'invariant', key: 'export job 1', column: 'jobs', actual: 'failed' },
  ],
  [
    'an instance without a slot',
    `UPDATE es.events SET data = jsonb_set(data, '{instanceId}', '50') WHERE type = 'SlotReserved' AND data ->> 'instanceId' = '1'`,
    { kind: 'invariant', key: 'instance 1', column: 'slots' },
  ],
  [
    'an event that no read model shows changed',
    `UPDATE es.events SET metadata = metadata || '{"actor": "eve"}' WHERE stream_id = 'snapshot-1' AND revision = 0`,
    { kind: 'seal', key: 'seals-cluster@0', column: 'hash' },
  ],
  [
    'a row of the newest seal',
    `UPDATE ${schemaOf(sealsProjection, 0)}.newest_seal SET hash = 'x'`,
    { kind: 'value', read_model: 'seals', column: 'hash', actual: 'x' },
  ],
];

describe('a verification', () => {
  let fixture: ProjectionFixture;
  beforeEach(async () => {
    fixture = await createProjectionFixture();
    const { type: _type, data } = mappingCreated(1);
    const slots = [1, 2].map((instanceId) => ({ type: 'SlotReserved', data: { instanceId, ownerUsername: 'ada' } }));
    await appendEvents(fixture.store, 'capacity-cluster', slots);
    await appendEvents(fixture.store, 'mapping-1', [
      { type: 'MappingCreated', data },
      {
        type: 'MappingVersionCreated',
        data: { ...data, version: 2, changeDescription: 'more', createdBy: 'ada', createdByName: 'Ada' },
      },
    ]);
    for (const id of [1, 2]) {
      await appendInstance(fixture.store, id);
      const ready = { snapshotId: id, instanceId: id, sizeBytes: 1, nodeCounts: {}, edgeCounts: {} };
      await appendEvents(fixture.store, `snapshot-${id}`, [{ type: 'SnapshotReady', data: ready }]);
    }
    await sealLog(fixture.store);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
  });
  afterEach(() => fixture.close());

  const verified = (pause = () => Promise.resolve(), sample: number | null = null) =>
    verify({ ...fixture, ...{ sha256, sample, expectedSeal: null, now: () => NOW, pause } });

  it('finds no difference in an undamaged system, and leaves nothing behind', async () => {
    expect(await verified()).toMatchObject({ ok: true, differences: [] });
    const { rows } = await fixture.pool.query(`SELECT 1 FROM pg_namespace WHERE nspname LIKE 'replay%'`);
    expect(rows).toEqual([]);
  });

  it('removes the schema of a killed process, and keeps that of a running one', async () => {
    await fixture.pool.query('CREATE SCHEMA replay_killed; CREATE SCHEMA replay_running');
    const holder = await fixture.pool.connect();
    await holder.query(`SELECT pg_advisory_lock(702017061, hashtext('replay_running'))`);
    await verified();
    const { rows } = await fixture.pool.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'replay%'`);
    holder.release(true);
    expect(rows).toEqual([{ nspname: 'replay_running' }]);
  });

  it.each(DAMAGES)('names %s', async (_name, sql, expected) => {
    expect((await fixture.pool.query(sql)).rowCount).toBeGreaterThan(0);
    const { ok, differences } = await verified();
    expect(ok).toBe(false);
    expect(differences).toContainEqual(expect.objectContaining(expected));
  });

  it('compares the same share of the rows on both sides', async () => {
    for (let id = 3; id <= 80; id++) await appendInstance(fixture.store, id);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
    await fixture.pool.query(`UPDATE ${schemaOf(auditTrailProjection, 0)}.audit_trail SET actor = 'eve'`);
    const changed = async (sample: number | null): Promise<number> =>
      (await verified(undefined, sample)).differences.filter(({ kind }) => kind === 'value').length;
    const all = await changed(null);
    const half = await changed(0.5);
    expect(half).toBeGreaterThan(all * 0.4);
    expect(half).toBeLessThan(all * 0.6);
    const { differences } = await verified(undefined, 0.2);
    expect(differences.filter(({ kind }) => kind === 'missing_row' || kind === 'extra_row')).toEqual([]);
  });

  it('finds no difference while the log grows', async () => {
    const running = fixture.run();
    const slots = [3, 4].map((instanceId) => ({ type: 'SlotReserved', data: { instanceId, ownerUsername: 'ada' } }));
    await appendEvents(fixture.store, 'capacity-cluster', slots);
    const writing = (async () => {
      for (const id of [3, 4]) await appendInstance(fixture.store, id);
    })();
    const { differences } = await verified(() => running.caughtUp());
    await writing;
    await running.stop();
    expect(differences.filter(({ kind }) => kind !== 'invariant')).toEqual([]);
    expect(readModels.length).toBeGreaterThan(10);
  });
});
