import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type StoredEvent } from '../../domain/kernel/event';
import { type EventStore, type ReadError, type ReadStreamOptions } from '../../domain/ports/event-store';
import { remainingTimeMs } from '../system/time-limit';
import { type Connection } from './connection';
import { type LogRecord, type StreamQuery } from './log-client';
import { type Rejection } from './rejections';
import { toStoredEvent } from './stored-record';
import { type StreamNames } from './stream-names';
import { untilAnswered } from './until-answered';

export interface ReadOptions {
  readonly connection: Connection;
  readonly names: StreamNames;
  readonly timeoutMs: number;
}

/**
 * Reads streams from the leader. A stream with missing events is an error, never a shorter history: one that was
 * truncated (by `$tb`, `$maxCount` or `$maxAge`), deleted, or deleted and started again.
 */
export const createReadStream = ({ connection, names, timeoutMs }: ReadOptions): EventStore['readStream'] => {
  const whenMissing = async (
    streamId: string,
    deadline: number,
  ): Promise<Either<ReadError, readonly StoredEvent[]>> => {
    const name = names.nameOf(streamId);
    const cut = await untilAnswered(connection, (client, watch) => client.truncateBefore(name, watch), { deadline });
    // A stream without metadata is reported as missing, too.
    if (isLeft(cut))
      return cut.left.rejection.kind === 'no_stream' ? right([]) : left(readError(streamId, cut.left.rejection));
    return cut.right === null ? right([]) : left(broken(streamId, 'it was deleted'));
  };

  return async (streamId, options = {}) => {
    const { fromRevision, direction = 'forwards', limit } = options;
    const deadline = Date.now() + remainingTimeMs(timeoutMs);
    const query: StreamQuery = {
      direction,
      from: fromRevision ?? (direction === 'forwards' ? 'start' : 'end'),
      ...(limit === undefined ? {} : { maxCount: limit }),
    };
    const name = names.nameOf(streamId);
    const outcome = await untilAnswered(connection, (client, watch) => client.readStream(name, query, watch), {
      deadline,
    });
    if (isRight(outcome)) return storedEvents(streamId, outcome.right, options);
    const { rejection } = outcome.left;
    return rejection.kind === 'no_stream' ? whenMissing(streamId, deadline) : left(readError(streamId, rejection));
  };
};

const storedEvents = (
  streamId: string,
  records: readonly LogRecord[],
  options: ReadStreamOptions,
): Either<ReadError, readonly StoredEvent[]> => {
  const missing = firstMissing(records, options);
  if (missing !== null) return left(broken(streamId, `revision ${missing} is no longer there`));
  const events: StoredEvent[] = [];
  for (const record of records) {
    if (record.place === null) {
      const what = `${streamId}@${Number(record.revision)}`;
      return left({
        kind: 'unavailable',
        reason: `EventStoreDB did not report the position of ${what}; it must be 22.6 or newer`,
      });
    }
    events.push(toStoredEvent(record, record.place, streamId));
  }
  return right(events);
};

/** The first missing revision of an existing stream; null if all are present. */
const firstMissing = (
  records: readonly LogRecord[],
  { fromRevision, direction = 'forwards', limit = Infinity }: ReadStreamOptions,
): number | null => {
  const revisions = records.map(({ revision }) => Number(revision));
  const [first, last] = [revisions[0], revisions.at(-1)];
  const step = direction === 'forwards' ? 1 : -1;
  const gap = revisions.findIndex((revision, index) => index > 0 && revision !== (revisions[index - 1] ?? 0) + step);
  if (gap > 0) return (revisions[gap - 1] ?? 0) + step;
  if (direction === 'forwards')
    return first !== undefined && first !== (fromRevision ?? 0) ? (fromRevision ?? 0) : null;
  return records.length < limit && last !== 0 ? (last ?? (fromRevision ?? 0) + 1) - 1 : null;
};

const broken = (streamId: string, reason: string): ReadError => ({
  kind: 'broken_stream',
  streamId,
  reason: `EventStoreDB no longer has every event of ${streamId}: ${reason}`,
});

const readError = (streamId: string, rejection: Rejection): ReadError => {
  if (rejection.kind === 'tombstone') return broken(streamId, 'it was deleted for good');
  return unavailable(`a read of ${streamId}`, rejection);
};

/** For reads without another error: of the feed, and of streams that must exist. */
export const unavailable = (what: string, rejection: Rejection): ReadError => {
  const reason = 'reason' in rejection ? rejection.reason : rejection.kind;
  return { kind: 'unavailable', reason: `EventStoreDB did not answer ${what}: ${reason}` };
};
