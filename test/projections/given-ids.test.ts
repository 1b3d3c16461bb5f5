import { createPostgresIdGenerator, raiseIdsAboveLog } from '../../adapters/postgres/postgres-id-generator';
import { type IdKind } from '../../domain/ports/id-generator';
import { givenIdsProjection } from '../../projections/given-ids';
import { instanceRequested, jobPlanned, snapshotRequested } from '../support/domain-samples';
import { createProjectionFixture, type ProjectionFixture } from './projection-fixture';
import { appendEvents, mappingCreated } from './sample-events';

let fixture: ProjectionFixture;
beforeEach(async () => {
  fixture = await createProjectionFixture();
});
afterEach(() => fixture.close());

const follow = async (): Promise<void> => {
  const running = fixture.run([givenIdsProjection]);
  await running.caughtUp();
  await running.stop();
};

const job = (jobId: number) => ({ jobId, jobType: 'node' as const, entityName: 'Person' });

interface Naming {
  readonly streamId: string;
  readonly event: { readonly type: string; readonly data: object };
  readonly ids: Readonly<Partial<Record<IdKind, number>>>;
}

/** Events that are the first, or the only, to name an id. */
const naming: readonly Naming[] = [
  { streamId: 'mapping-101', event: mappingCreated(101), ids: { mapping: 101 } },
  {
    streamId: 'capacity-cluster',
    event: { type: 'SlotReserved', data: { instanceId: 102, ownerUsername: 'ada' } },
    ids: { instance: 102 },
  },
  {
    streamId: 'mapping-7',
    event: { type: 'MappingSnapshotPlanned', data: { mappingId: 7, version: 1, snapshotId: 103, instanceId: 104 } },
    ids: { snapshot: 103, instance: 104 },
  },
  {
    streamId: 'instance-106',
    event: { ...instanceRequested, data: { ...instanceRequested.data, instanceId: 106, snapshotId: 105 } },
    ids: { snapshot: 105, instance: 106 },
  },
  {
    streamId: 'snapshot-107',
    event: { ...snapshotRequested, data: { ...snapshotRequested.data, snapshotId: 107, jobs: [job(108), job(109)] } },
    ids: { snapshot: 107, export_job: 109 },
  },
  {
    streamId: 'snapshot-8',
    event: {
      type: 'SnapshotJobsSubmitted',
      data: { snapshotId: 8, instanceId: 8, jobs: [{ ...job(110), storagePath: 'x/', query: null }] },
    },
    ids: { export_job: 110 },
  },
  { streamId: 'export_job-111', event: jobPlanned(111), ids: { export_job: 111 } },
];

it.each(naming)('an id from $event.type is never assigned again', async ({ streamId, event, ids: named }) => {
  await appendEvents(fixture.store, streamId, [event]);
  await follow();
  const ids = createPostgresIdGenerator(fixture.pool);

  const raised = await raiseIdsAboveLog(fixture.pool);

  expect([...raised].sort()).toEqual(Object.keys(named).sort());
  for (const kind of raised) expect(await ids.next(kind)).toEqual([(named[kind] ?? 0) + 1]);
  expect(await raiseIdsAboveLog(fixture.pool)).toEqual([]);
});

it('ids of deleted resources count, and later ids continue after those already assigned', async () => {
  await appendEvents(fixture.store, 'mapping-9', [
    mappingCreated(9),
    { type: 'MappingDeleted', data: { mappingId: 9, reason: 'expired' } },
  ]);
  await follow();
  const ids = createPostgresIdGenerator(fixture.pool);
  await ids.next('mapping', 20);

  expect(await raiseIdsAboveLog(fixture.pool)).toEqual([]);
  expect(await ids.next('mapping')).toEqual([21]);
});
