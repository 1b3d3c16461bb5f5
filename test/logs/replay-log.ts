import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { processStreamsOf } from '../../commands/processes/run-process';
import { type LoggedEvent } from '../../domain/kernel/canonical-event';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { type FeedEvent } from '../../domain/ports/feed-consumer';
import { readFeedEvent } from '../../projections/feed/apply-events';
import { readModels, withReplaySchema } from '../../projections/replay-schema';
import { type Fold, foldOf } from './fold-of';
import { openReadModelRows } from './read-model-rows';

/** What the present code makes of one event. */
export interface ReplayedEvent {
  /** Stream, revision and type. */
  readonly event: string;
  readonly id: string;
  /** The state after it, the rows that it changes, the processes that receive it and what they decide, by name. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A log as the present code reads it. */
export interface ReplayedLog {
  readonly events: readonly ReplayedEvent[];
  /** The last state of each stream. */
  readonly states: ReadonlyMap<string, string>;
  /** The last rows of each table. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Replays a log with the present deciders, processes and projections, event by event. */
export const replayLog = (pool: Pool, log: readonly LoggedEvent[]): Promise<ReplayedLog> =>
  withReplaySchema(pool, async (schema, replay) => {
    const tables = openReadModelRows(pool, schema);
    const folds = new Map<string, Fold>();
    const events: ReplayedEvent[] = [];

    const changesOf = async (event: FeedEvent): Promise<ReadonlyMap<string, string>> => {
      const { type, position } = event.stored;
      const listening = readModels.filter(({ on }) => Object.hasOwn(on, type));
      await replay.take(listening, { events: [event], position }, START);
      const failures = [...replay.parked].flatMap(([{ name }, parked]) =>
        parked
          .filter((one) => one.event.position === position)
          .map(({ error }) => [`failure of ${name}`, error] as const),
      );
      const changes = [...(await tables.changedBy(position))].map(
        ([table, rows]) => [`rows of ${table}`, rows] as const,
      );
      return new Map([...failures, ...changes]);
    };
    const factsOf = async (event: FeedEvent): Promise<ReplayedEvent['facts']> => {
      const { stored, readable } = event;
      if (isLeft(readable)) return { undecodable: readable.left.message };
      const fold = folds.get(stored.streamId) ?? foldOf(stored.streamId);
      folds.set(stored.streamId, fold);
      const decision = fold.take(readable.right);
      const receivers = processStreamsOf(readable.right).join(' ');
      return {
        state: fold.state(),
        ...(decision !== null && { decision }),
        ...(receivers !== '' && { receivers }),
        ...Object.fromEntries(await changesOf(event)),
      };
    };

    for (const [index, logged] of log.entries()) {
      const stored = storedAt(index + 1, logged);
      const { streamId, revision, type, id } = stored;
      events.push({ event: `${streamId}@${revision} ${type}`, id, facts: await factsOf(readFeedEvent(stored)) });
    }
    const states = new Map([...folds].map(([streamId, fold]) => [streamId, fold.state()]));
    return { events, states, rows: tables.present() };
  });

/** An event with the parts that a store adds, equal in every replay. */
const storedAt = (ordinal: number, event: LoggedEvent): StoredEvent => ({
  ...event,
  position: String(ordinal) as Position,
  recordedAt: event.metadata.occurredAt,
});
