import { createPool } from '../../../adapters/postgres/pool';
import { createPostgresEventStore } from '../../../adapters/postgres/postgres-event-store';
import { createPostgresIdGenerator, raiseIdsAboveLog } from '../../../adapters/postgres/postgres-id-generator';
import { newEvent, succeeded } from '../../contracts/event-store/event-samples';
import { createTestDatabase } from '../../support/postgres';

it('ids given out after a restore of the log alone are above those the log knows', async () => {
  const database = await createTestDatabase();
  const pool = createPool({ connectionString: database.connectionString, max: 4 });
  const store = createPostgresEventStore({ pool, connectionString: database.connectionString });
  const ids = createPostgresIdGenerator(pool);
  try {
    expect(await raiseIdsAboveLog(pool)).toEqual([]);
    for (const stream of ['mapping-1', 'instance-9', 'instance-41', 'instance-x', 'exportXjob-7', 'export_job-12']) {
      succeeded(await store.append(stream, 'no_stream', [newEvent()]));
    }
    expect(await ids.next('snapshot')).toEqual([1]);

    expect(await raiseIdsAboveLog(pool)).toEqual(['mapping', 'export_job', 'instance']);

    expect(await ids.next('mapping')).toEqual([2]);
    expect(await ids.next('snapshot')).toEqual([2]);
    expect(await ids.next('export_job')).toEqual([13]);
    expect(await ids.next('instance')).toEqual([42]);
    expect(await raiseIdsAboveLog(pool)).toEqual([]);
  } finally {
    await store.close();
    await pool.end();
    await database.drop();
  }
});
