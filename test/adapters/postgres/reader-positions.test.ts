import { readerPositions, readersAt, remapReaderPositions } from '../../../adapters/postgres/reader-positions';
import { type Position } from '../../../domain/kernel/event';
import { poolOfEachTest } from '../../support/pool-of-each-test';

const database = poolOfEachTest();

const at = (position: string): Position => position as Position;

it('checkpoints and parked events are mapped to the positions of another log, even where the numbers overlap', async () => {
  await database.pool.query(
    `INSERT INTO es.subscriptions (name, version, position) VALUES ('users', 1, 20), ('users', 2, 40), ('new', 1, 0)`,
  );
  await database.pool.query(
    `INSERT INTO es.parked (reader, version, epoch, stream_id, position, event_stream_id, event_revision, event_type)
     SELECT 'users', 2, 0, 'user-1', position, 'user-1', position, 'UserRenamed' FROM unnest('{10,20,30}'::int[]) position`,
  );
  expect([...(await readerPositions(database.pool))].sort()).toEqual(['0', '10', '20', '30', '40']);
  expect(await readersAt(database.pool, at('20'))).toBe('an event parked for users, the checkpoint of users');

  const client = await database.pool.connect();
  await client.query('BEGIN');
  const pairs = ['0:0', '10:20', '20:30', '30:9007199254740993', '40:9007199254740994'].map((pair) => pair.split(':'));
  await remapReaderPositions(client, new Map(pairs.map(([before = '', after = '']) => [at(before), at(after)])));
  await client.query('COMMIT');
  client.release();

  const subscriptions = await database.pool.query(
    'SELECT name, version, position FROM es.subscriptions ORDER BY name, version',
  );
  expect(subscriptions.rows).toEqual([
    { name: 'new', version: 1, position: '0' },
    { name: 'users', version: 1, position: '30' },
    { name: 'users', version: 2, position: '9007199254740994' },
  ]);
  const parked = await database.pool.query('SELECT position, event_revision FROM es.parked ORDER BY event_revision');
  expect(parked.rows).toEqual([
    { position: '20', event_revision: '10' },
    { position: '30', event_revision: '20' },
    { position: '9007199254740993', event_revision: '30' },
  ]);
});
