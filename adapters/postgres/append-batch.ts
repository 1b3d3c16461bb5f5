import { type Either, left, right } from 'fp-ts/Either';
import { type NewEvent } from '../../domain/kernel/event';
import { type Appended, type AppendError, type ExpectedRevision } from '../../domain/ports/event-store';
import { toPosition } from './event-reader';

/** A pending append. */
export interface PendingAppend {
  readonly streamId: string;
  /** One element of the batch `es.append` takes, as JSON. */
  readonly json: string;
  readonly bytes: number;
  readonly settle: (outcome: Either<AppendError, Appended>) => void;
  /** It may have reached the database. */
  isSent: boolean;
  /** It has completed. */
  isSettled: boolean;
}

/** A result row of `es.append`; row n is the result of append n of the batch. */
export interface AppendRow {
  readonly outcome: 'appended' | 'conflict';
  readonly last_position: string | null;
  readonly last_revision: string;
}

const MAX_APPENDS = 128;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** The JSON of one append. */
export const appendJson = (streamId: string, expected: ExpectedRevision, events: readonly NewEvent[]): string =>
  JSON.stringify({
    stream: streamId,
    expected: expected === 'no_stream' ? -1 : expected,
    events: events.map(({ id, type, schemaVersion, data, metadata }) => ({
      id,
      type,
      version: schemaVersion,
      data: data ?? null,
      metadata,
    })),
  });

/**
 * Removes the next batch from the queue: the oldest appends, one per stream, because later appends of a stream depend
 * on the outcome of earlier ones. The others keep their order.
 */
export const takeBatch = <A extends Pick<PendingAppend, 'streamId' | 'bytes'>>(
  queue: readonly A[],
): { readonly batch: A[]; readonly rest: A[] } => {
  const streams = new Set<string>();
  const batch: A[] = [];
  const rest: A[] = [];
  let bytes = 0;
  let full = false;
  for (const append of queue) {
    full ||= batch.length === MAX_APPENDS || (batch.length > 0 && bytes + append.bytes > MAX_BATCH_BYTES);
    if (full || streams.has(append.streamId)) {
      rest.push(append);
      continue;
    }
    streams.add(append.streamId);
    batch.push(append);
    bytes += append.bytes;
  }
  return { batch, rest };
};

/** Converts a result row to the outcome of its append. */
export const outcomeOf = (append: PendingAppend, row: AppendRow | undefined): Either<AppendError, Appended> => {
  if (row === undefined) throw new Error(`es.append has not answered for stream ${append.streamId}`);
  const revision = Number(row.last_revision);
  if (row.outcome === 'appended' && row.last_position !== null) {
    return right({ position: toPosition(row.last_position), revision });
  }
  return left({
    kind: 'wrong_expected_revision',
    streamId: append.streamId,
    actual: revision === -1 ? null : revision,
  });
};
