import { readFollowedLog, recordFollowedLog } from '../../../adapters/postgres/followed-log';
import { poolOfEachTest } from '../../support/pool-of-each-test';

const database = poolOfEachTest();

test('returns the followed log and the running copy as last recorded', async () => {
  expect(await readFollowedLog(database.pool)).toBeNull();

  const own = { store: 'postgres', logId: 'a' } as const;
  const copy = { store: 'eventstoredb', logId: 'b' } as const;
  await recordFollowedLog(database.pool, { ...own, copy });
  expect(await readFollowedLog(database.pool)).toEqual({ ...own, copy });

  await recordFollowedLog(database.pool, { ...copy, copy: null });
  expect(await readFollowedLog(database.pool)).toEqual({ ...copy, copy: null });
});
