import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { pagesOf } from '../../adapters/log-copy/log-pages';
import { findDatabase } from '../../adapters/maintenance/find-database';
import { openEventStore } from '../../adapters/start/open-event-store';
import { readSettings } from '../../adapters/start/settings';
import { type StoredEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { createTestPool } from './create-test-pool';
import { expectRight } from './given-when-then';

/** The environment of a system, which leads to its log and its database. */
interface HasEnvironment {
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens the log of a system, in either store, and the database of its read models. */
export const withLogOf = async <A>(
  { environment }: HasEnvironment,
  use: (store: EventStore, pool: Pool) => Promise<A>,
): Promise<A> => {
  const settings = expectRight(readSettings(environment));
  const connectionString = expectRight(findDatabase(settings));
  const pool = createTestPool({ connectionString });
  const opened = expectRight(await openEventStore(settings.eventStore, { pool, connectionString }, () => undefined));
  try {
    return await use(opened.store, pool);
  } finally {
    await opened.close();
    await pool.end();
  }
};

/** The events of a stream of a system. */
export const streamOf = (system: HasEnvironment, streamId: string): Promise<readonly StoredEvent[]> =>
  withLogOf(system, async (store) => expectRight(await store.readStream(streamId)));

/** All events of a system. */
export const logOf = (system: HasEnvironment): Promise<readonly StoredEvent[]> =>
  withLogOf(system, async (store) => {
    const events: StoredEvent[] = [];
    for await (const page of pagesOf('the log', store)) {
      if (isLeft(page)) throw new Error(page.left.message);
      events.push(...page.right);
    }
    return events;
  });
