import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isRight, left } from 'fp-ts/Either';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { type NewEvent, type Position } from '../../domain/kernel/event';
import { findInvalidText } from '../../domain/kernel/invalid-text';
import { type Appended, type AppendError, type ExpectedRevision } from '../../domain/ports/event-store';
import { prepared } from '../../projections/buffered-tables';
import { remainingTimeMs } from '../system/time-limit';
import { appendJson, type AppendRow, outcomeOf, type PendingAppend, takeBatch } from './append-batch';
import { databaseErrorText } from './database-error';

export interface AppendWriterOptions {
  readonly pool: Pool;
  /** Called after events were written, with the position of the last one. */
  readonly onAppended: (position: Position) => void;
  /** How long an append is retried while the database does not answer, outside of a request with its own timeout. */
  readonly timeoutMs: number;
}

export const MAX_APPEND_BYTES = 16 * 1024 * 1024;
const PAUSE_MS = 100;

/** The failure of a batch. */
type BatchFailure =
  /** The batch was not sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The connection was lost after sending. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** The database answered with an error and wrote nothing. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isDataError: boolean };

/**
 * The only writer of this process. Appends that arrive while a batch is in progress form the next batch, so batches
 * grow with the load, and an append never waits for a batch to fill.
 *
 * After a lost connection the batch is sent again: `es.append` recognises the event ids, returns the results of
 * completed appends and writes only the others. The outcome stays unknown only if the database does not recover in
 * time. Each append of a batch has its own timeout; the batch continues for the others.
 */
export class AppendWriter {
  private queue: PendingAppend[] = [];
  private loop: Promise<void> | null = null;
  private closed = false;
  /** The last failure. */
  private failure = 'it did not answer in time';

  constructor(private readonly options: AppendWriterOptions) {}

  append(
    streamId: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Either<AppendError, Appended>> {
    if (events.length === 0) throw new Error(`An append to ${streamId} has no events`);
    if (this.closed) return Promise.resolve(unavailable('the event store of this process has been closed'));
    const field = findInvalidText(events);
    if (field !== null) return Promise.resolve(left({ kind: 'invalid_text', streamId, field }));
    const json = appendJson(streamId, expected, events);
    const bytes = Buffer.byteLength(json);
    if (bytes > MAX_APPEND_BYTES) {
      return Promise.resolve(left({ kind: 'too_large', streamId, bytes, maxBytes: MAX_APPEND_BYTES }));
    }
    return new Promise((resolve) => {
      const append: PendingAppend = {
        ...{ streamId, json, bytes, isSent: false, isSettled: false },
        settle: (outcome) => {
          clearTimeout(timer);
          append.isSettled = true;
          resolve(outcome);
        },
      };
      const timer = setTimeout(() => this.timeOut(append), remainingTimeMs(this.options.timeoutMs));
      this.queue.push(append);
      this.loop ??= this.writeAll();
    });
  }

  /** Rejects new appends and resolves when the pending ones have completed. */
  async close(): Promise<void> {
    this.closed = true;
    await this.loop;
  }

  private timeOut(append: PendingAppend): void {
    const { streamId, isSent } = append;
    append.settle(
      isSent ? left({ kind: 'unknown_outcome', streamId, reason: this.failure }) : unavailable(this.failure),
    );
  }

  private async writeAll(): Promise<void> {
    // Requests of the same tick share the first batch.
    await Promise.resolve();
    while (this.queue.length > 0) {
      const { batch, rest } = takeBatch(this.queue);
      this.queue = rest;
      try {
        await this.write(batch);
      } catch (error) {
        // A bug in the outcome of one batch must not end the writer, or all later appends would wait for ever.
        this.failure = String(error);
        for (const append of batch) if (!append.isSettled) this.timeOut(append);
      }
    }
    // Must be synchronous with the check of the queue, or an append in between would wait forever.
    this.loop = null;
  }

  private async write(batch: readonly PendingAppend[]): Promise<void> {
    for (let wasLost = false; ;) {
      const open = batch.filter(({ isSettled }) => !isSettled);
      if (open.length === 0) return;
      const failure = await this.send(open);
      if (failure === null) return;
      this.failure = failure.reason;
      if (failure.kind === 'refused') {
        // One append with data that the database cannot store must not fail the others.
        if (failure.isDataError && open.length > 1) for (const append of open) await this.write([append]);
        // An earlier attempt, whose connection was lost, may have been written.
        else if (wasLost && !failure.isDataError) for (const append of open) this.timeOut(append);
        else for (const append of open) append.settle(unavailable(failure.reason));
        return;
      }
      wasLost ||= failure.kind === 'lost';
      await sleep(PAUSE_MS);
    }
  }

  /** Null when every append of the batch has completed. */
  private async send(batch: readonly PendingAppend[]): Promise<BatchFailure | null> {
    let client: PoolClient;
    try {
      client = await this.options.pool.connect();
    } catch (error) {
      return { kind: 'not_sent', reason: databaseErrorText(error) };
    }
    let rows: readonly AppendRow[];
    for (const append of batch) append.isSent = true;
    try {
      const json = `[${batch.map((append) => append.json).join(',')}]`;
      rows = (await client.query<AppendRow>(prepared('SELECT * FROM es.append($1) ORDER BY n', [json]))).rows;
    } catch (error) {
      client.release(true);
      return lostOrRefused(error);
    }
    client.release();
    const outcomes = batch.map((append, index) => ({ append, outcome: outcomeOf(append, rows[index]) }));
    for (const { append, outcome } of outcomes) {
      if (isRight(outcome)) this.options.onAppended(outcome.right.position);
      append.settle(outcome);
    }
    return null;
  }
}

const unavailable = (reason: string): Either<AppendError, never> =>
  left({ kind: 'unavailable', reason: `The append was not written to PostgreSQL: ${reason}` });

/** Classes 08 and 57P are lost connections and a server shutdown; with any other code the statement was rolled back. */
const lostOrRefused = (error: unknown): BatchFailure => {
  const code = error instanceof DatabaseError ? (error.code ?? '') : '';
  if (code === '' || /^(08|57P)/.test(code)) return { kind: 'lost', reason: databaseErrorText(error) };
  return { kind: 'refused', reason: databaseErrorText(error), isDataError: code.startsWith('22') };
};
