import { right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { createEventReader } from '../../../adapters/postgres/event-reader';
import { FeedSignal } from '../../../adapters/system/feed-signal';
import { followFeed } from '../../../adapters/system/follow-feed';
import { type Position } from '../../../domain/kernel/event';
import { type EventStore } from '../../../domain/ports/event-store';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase } from '../../support/postgres';
import { waitFor } from '../../support/wait-for';
import { tailBesideWriters } from './tailing-reader';

/**
 * A naive event store: positions from a sequence, one transaction per append. Of two writers, the one with the lower
 * position may commit later; here the first to start commits after the reader has passed its position.
 */
const createNaiveEventStore = (pool: Pool): EventStore => {
  const reader = createEventReader(pool);
  const appended = new FeedSignal();
  let readUpTo = 0n;
  let appends = 0;
  return {
    ...reader,
    append: async (streamId, _expected, [event]) => {
      const first = appends++ === 0;
      const client = await pool.connect();
      await client.query('BEGIN');
      const inserted = await client.query<{ position: string }>(
        `INSERT INTO es.events (position, stream_id, revision, id, type, schema_version, data, metadata, recorded_at)
         VALUES (nextval('naive_positions'), $1, 0, $2, $3, 1, '{}', '{}', now()) RETURNING position`,
        [streamId, event?.id, event?.type],
      );
      const position = inserted.rows[0]!.position;
      if (first) await waitFor('the reader passes the open append', () => readUpTo > BigInt(position));
      await client.query('COMMIT');
      client.release();
      appended.notify();
      return right({ position: position as Position, revision: 0 });
    },
    subscribeAll: async function* (after, options) {
      for await (const page of followFeed(reader.readAll, appended, after, options)) {
        readUpTo = BigInt(page.position);
        yield page;
      }
    },
  };
};

it('a store with positions from a sequence loses events for a reader that runs next to its writers', async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString });
  await pool.query('CREATE SEQUENCE naive_positions');

  const { written, seen } = await tailBesideWriters(createNaiveEventStore(pool), { writers: 16, appendsEach: 60 });

  expect(written).toHaveLength(16 * 60);
  expect(written.filter((id) => !seen.includes(id))).not.toEqual([]);
  await pool.end();
  await database.drop();
});
