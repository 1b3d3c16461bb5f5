import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { type NewEvent } from '../../domain/kernel/event';
import { findInvalidText } from '../../domain/kernel/invalid-text';
import { type Appended, type AppendError, type ExpectedRevision } from '../../domain/ports/event-store';
import { remainingTimeMs } from '../system/time-limit';
import { type Connection } from './connection';
import { type LogPlace, type OutgoingRecord, type Written } from './log-client';
import { bytesOf, positionOf, toRecord } from './stored-record';
import { type StreamNames } from './stream-names';
import { type Unanswered, untilAnswered } from './until-answered';

export interface AppendOptions {
  readonly connection: Connection;
  readonly names: StreamNames;
  readonly timeoutMs: number;
  readonly maxAppendBytes: number;
  /** False: an append is sent once, for a writer that itself resends everything in order. */
  readonly resends: boolean;
  /** Called after events were written, with the place of the last one if the server reports it. */
  readonly onAppended: (place: LogPlace | null) => void;
  /** Called before an append is sent again. */
  readonly onResend: () => void;
}

/** An append in progress, with its description for errors. */
interface Append {
  readonly streamId: string;
  readonly name: string;
  readonly expected: ExpectedRevision;
  /** The expected revision of its first event. */
  readonly first: number;
  readonly records: readonly OutgoingRecord[];
  readonly deadline: number;
}

type Outcome = Either<AppendError, Appended>;

/**
 * Appends; sends an append again with the same ids at the same revision until it is acknowledged: the server compares
 * the ids and returns the first result.
 */
export class Appender {
  constructor(private readonly options: AppendOptions) {}

  async append(streamId: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Outcome> {
    if (events.length === 0) throw new Error(`An append to ${streamId} has no events`);
    const { names, timeoutMs, maxAppendBytes } = this.options;
    const name = names.nameOf(streamId);
    const field = findInvalidText(events);
    if (field !== null) return left({ kind: 'invalid_text', streamId, field });
    const records = events.map(toRecord);
    const bytes = bytesOf(records);
    if (bytes > maxAppendBytes) return left({ kind: 'too_large', streamId, bytes, maxBytes: maxAppendBytes });
    const first = expected === 'no_stream' ? 0 : expected + 1;
    return this.send({
      streamId,
      name,
      expected,
      first,
      records,
      deadline: Date.now() + remainingTimeMs(timeoutMs),
    });
  }

  private async send(append: Append): Promise<Outcome> {
    const { name, expected, records, deadline } = append;
    const { connection, resends, onResend } = this.options;
    const outcome = await untilAnswered(connection, (client) => client.append(name, expected, records), {
      deadline,
      onResend,
      isOnce: !resends,
    });
    return isRight(outcome) ? this.written(append, outcome.right) : this.rejected(append, outcome.left);
  }

  private async written(append: Append, { revision, place }: Written): Promise<Outcome> {
    this.options.onAppended(place);
    const { streamId, first, records } = append;
    if (revision !== first + records.length - 1) {
      const reason = `it had been deleted, and took the events up to revision ${revision} instead of from ${first} on`;
      return left({ kind: 'broken_stream', streamId, reason });
    }
    if (place !== null) return right({ revision, position: positionOf(place) });
    return this.findWritten(append, unknown(append, 'the server did not report its position'));
  }

  private async rejected(append: Append, { rejection, wasSent }: Unanswered): Promise<Outcome> {
    const { streamId, records } = append;
    switch (rejection.kind) {
      case 'wrong_expected_revision': {
        const refusal: AppendError = { ...rejection, streamId };
        return wasSent ? this.findWritten(append, refusal) : left(refusal);
      }
      case 'too_large': {
        const maxBytes = rejection.maxBytes ?? this.options.maxAppendBytes;
        return left({ kind: 'too_large', streamId, bytes: bytesOf(records), maxBytes });
      }
      case 'tombstone':
      case 'no_stream':
        return left({ kind: 'broken_stream', streamId, reason: 'it was deleted for good and takes no more events' });
      case 'no_answer':
      case 'refused': {
        if (wasSent) return left(unknown(append, rejection.reason));
        const reason = `EventStoreDB did not take the append to ${streamId}: ${rejection.reason}`;
        return left({ kind: 'unavailable', reason });
      }
    }
  }

  /** Checks whether the events of the append are at their expected revisions. */
  private async findWritten(append: Append, otherwise: AppendError): Promise<Outcome> {
    const { name, first, records, deadline } = append;
    const query = { from: first, direction: 'forwards', maxCount: records.length } as const;
    const found = await untilAnswered(
      this.options.connection,
      (client, watch) => client.readStream(name, query, watch),
      { deadline },
    );
    if (isLeft(found)) {
      if (found.left.rejection.kind === 'no_stream') return left(otherwise);
      return left(unknown(append, 'it was sent more than once, and the stream could not be read'));
    }
    const last = found.right.at(-1);
    const isOurs = records.length === found.right.length && records.every(({ id }, n) => found.right[n]?.id === id);
    if (!isOurs || last?.place == null) return left(otherwise);
    return right({ revision: Number(last.revision), position: positionOf(last.place) });
  }
}

const unknown = ({ streamId }: Append, reason: string): AppendError => ({
  kind: 'unknown_outcome',
  streamId,
  reason: `EventStoreDB gave no clear answer to the append to ${streamId}: ${reason}`,
});
