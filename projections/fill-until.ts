import { type Pool } from 'pg';
import { type Position, START, type StoredEvent } from '../domain/kernel/event';
import { type EventStore } from '../domain/ports/event-store';
import { inTransaction } from './projection-tables';
import { readLog, type Replay } from './replay';
import { readModels } from './replay-schema';
import { NO_TELEMETRY } from './temporary-tables';

interface FillOptions {
  /** Whether an event belongs to the past; the first one that does not ends it. */
  readonly counts: (event: StoredEvent) => boolean;
  /** Called after each page. */
  readonly onPage: (events: number, position: Position) => void;
  readonly signal: AbortSignal;
}

/**
 * Fills the read models of a replay from the start of the log up to a moment, in one pass. Returns the last event that
 * counted. Rejects when the signal aborts.
 */
export const fillUntil = async (
  pool: Pool,
  store: Pick<EventStore, 'readAll'>,
  schema: string,
  replay: Replay,
  { counts, onPage, signal }: FillOptions,
): Promise<StoredEvent | null> => {
  await inTransaction(pool, (client) => client.query(`SET LOCAL search_path TO ${schema}; ${NO_TELEMETRY}`));
  let [last, read, after]: [StoredEvent | null, number, Position] = [null, 0, START];
  for await (const page of readLog(store, START)) {
    signal.throwIfAborted();
    const end = page.events.findIndex(({ stored }) => !counts(stored));
    const events = end < 0 ? page.events : page.events.slice(0, end);
    await replay.take(readModels, { events, position: page.position }, after);
    last = events.at(-1)?.stored ?? last;
    if (end >= 0) break;
    [read, after] = [read + events.length, page.position];
    onPage(read, after);
  }
  for (const projection of readModels) {
    signal.throwIfAborted();
    await replay.prepareForQueries(projection);
  }
  return last;
};
