import { type Either, isLeft, isRight, left, type Right, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { type FeedFilter, type FeedPage, type ReadError } from '../../domain/ports/event-store';
import { remainingTimeMs } from '../system/time-limit';
import { type LogPlace, type LogQuery, type LogRecord } from './log-client';
import { type ReadOptions, unavailable } from './read-stream';
import { placeOf, toStoredEvent } from './stored-record';
import { untilAnswered } from './until-answered';

/** Minimum and maximum number of server events per read, when one page needs several reads. */
const MIN_READ = 500;
const MAX_READ = 2_000;
/** The followers of one process rarely read at more positions at the same time. */
const KNOWN_GAPS = 100;
const KEPT_SURPLUS = 4;
const NEAR_THE_END = 10;

export interface FeedReaderOptions extends ReadOptions {
  /** The start of this log on the server, null while unknown. Events of this log are not before it. */
  readonly beginning: () => Promise<Either<ReadError, LogPlace | null>>;
}

/** The content of a place in the server's log; null: not an event of this log. */
interface Entry {
  readonly place: LogPlace;
  readonly event: StoredEvent | null;
}

/** A section of the server's log, and its end: the end of the log, or the last entry. */
interface Batch {
  readonly entries: readonly Entry[];
  readonly isTheEnd: boolean;
}

/**
 * Reads the events of this log from the server's log, which all systems on the server share, in its order and from the
 * leader. Any number of foreign events may be between two events of this log. Searched ranges are remembered, so that a
 * waiting reader does not read them repeatedly.
 */
export class FeedReader {
  /** By the position of an event of this log: up to this place, only foreign events follow. */
  private readonly gaps = new LRUCache<Position, LogPlace>({ max: KNOWN_GAPS });
  /** The last known event of this log, and the place up to which only foreign events follow. */
  private lastHead: { readonly head: Position; readonly upTo: LogPlace } | null = null;

  /** Range searched for the head so far: it contains foreign events only. The search may take more than one call. */
  private foreign: { readonly newest: LogPlace; readonly oldest: LogPlace } | null = null;
  /** Events that were read but did not fit into the page that ended at this position. */
  private readonly surplus = new LRUCache<Position, Batch['entries']>({ max: KEPT_SURPLUS });
  /** The next page of a long log, by its position: the server reads it while this process decodes. */
  private readonly readAhead = new LRUCache<bigint, Promise<Either<ReadError, Batch>>>({ max: KEPT_SURPLUS });

  constructor(private readonly options: FeedReaderOptions) {}

  /**
   * A page of the feed. If the timeout ends among foreign events, the events found so far; the next call continues
   * there.
   */
  async readAll(after: Position, limit: number, { types }: FeedFilter = {}): Promise<Either<ReadError, FeedPage>> {
    const deadline = this.deadline();
    const wanted = types && new Set(types);
    const start = await this.placeAfter(after);
    if (isLeft(start)) return start;
    let place = start.right;
    let position = after;
    const events: StoredEvent[] = [];
    for (let count = Math.min(limit + 1, MAX_READ); ; count = Math.min(Math.max(2 * count, MIN_READ), MAX_READ)) {
      const query = { from: place, direction: 'forwards', maxCount: count } as const;
      const batch = this.takeSurplus(position) ?? (await this.readNext(query, deadline));
      if (isLeft(batch)) return place === start.right ? batch : right(this.pageUpTo(place, { position, events }));
      const { entries, isTheEnd } = batch.right;
      const last = entries.at(-1);
      if (last !== undefined && !isTheEnd && limit >= MIN_READ) this.beginReading(last.place);
      for (const [index, { place: at, event }] of entries.entries()) {
        if (place !== 'start' && at.commit <= place.commit) continue;
        place = at;
        if (event === null) continue;
        ({ position } = event);
        if (wanted?.has(event.type) === false) continue;
        events.push(event);
        if (events.length < limit) continue;
        const surplus = entries.slice(index + 1);
        if (surplus.length > 0) this.surplus.set(position, surplus);
        return right({ events, position });
      }
      if (isTheEnd) return right(this.pageUpTo(place, { position, events }));
    }
  }

  /** The position of the last event of this log, searched backwards from the end of the server's log. */
  async head(): Promise<Either<ReadError, Position>> {
    const deadline = this.deadline();
    const known = await this.knownHead();
    if (isLeft(known)) return known;
    const { head, upTo } = known.right;
    let last: LogPlace | null = null;
    let from: LogPlace | 'end' = 'end';
    for (let count = NEAR_THE_END; ; count = Math.min(10 * count, MAX_READ)) {
      const batch = await this.read({ from, direction: 'backwards', maxCount: count }, deadline);
      if (isLeft(batch)) return batch;
      for (const { place, event } of batch.right.entries) {
        if (upTo !== null && place.commit <= upTo.commit) return right(this.keepHead(head, last ?? upTo));
        from = place;
        last ??= from;
        if (event !== null) return right(this.keepHead(event.position, last));
        if (this.isForeign(from)) break;
      }
      if (batch.right.isTheEnd) return right(last === null ? head : this.keepHead(head, last));
      if (last !== null && from !== 'end') from = this.addForeign(last, from);
    }
  }

  /** The event of this log at exactly this position. */
  async readAt(position: Position): Promise<Either<ReadError, StoredEvent | null>> {
    const batch = await this.read({ from: placeOf(position), direction: 'forwards', maxCount: 1 }, this.deadline());
    if (isLeft(batch)) return batch;
    const event = batch.right.entries[0]?.event ?? null;
    return right(event?.position === position ? event : null);
  }

  private deadline(): number {
    return Date.now() + remainingTimeMs(this.options.timeoutMs);
  }

  private async read(query: LogQuery, deadline: number): Promise<Either<ReadError, Batch>> {
    const { connection, names } = this.options;
    const take = (record: LogRecord): Entry | null => {
      const { place } = record;
      if (place === null) return null;
      const event = names.isOurs(record) ? toStoredEvent(record, place, names.streamIdOf(record.streamId)) : null;
      return { place, event };
    };
    const outcome = await untilAnswered(connection, (client, watch) => client.readAll(query, watch, take), {
      deadline,
    });
    if (!isRight(outcome)) return left(unavailable('a read of the log', outcome.left.rejection));
    const entries = outcome.right.filter((entry) => entry !== null);
    return right({ entries, isTheEnd: outcome.right.length < query.maxCount });
  }

  private beginReading(from: LogPlace): void {
    const query = { from, direction: 'forwards', maxCount: MAX_READ } as const;
    if (!this.readAhead.has(from.commit)) this.readAhead.set(from.commit, this.read(query, this.deadline()));
  }

  /** Returns the read started ahead, unless it failed or reached the end of the log; otherwise reads. */
  private async readNext(query: LogQuery, deadline: number): Promise<Either<ReadError, Batch>> {
    const pending = typeof query.from === 'object' ? this.readAhead.get(query.from.commit) : undefined;
    if (pending === undefined || typeof query.from !== 'object') return this.read(query, deadline);
    const batch = await pending;
    this.readAhead.delete(query.from.commit);
    return isLeft(batch) || batch.right.isTheEnd ? this.read(query, deadline) : batch;
  }

  private async placeAfter(after: Position): Promise<Either<ReadError, LogPlace | 'start'>> {
    const known = this.gaps.get(after);
    if (known !== undefined) return right(known);
    if (after !== START) return right(placeOf(after));
    const beginning = await this.options.beginning();
    return isLeft(beginning) ? beginning : right(beginning.right ?? 'start');
  }

  private takeSurplus(after: Position): Right<Batch> | null {
    const entries = this.surplus.get(after);
    this.surplus.delete(after);
    return entries === undefined ? null : { _tag: 'Right', right: { entries, isTheEnd: false } };
  }

  private pageUpTo(place: LogPlace | 'start', page: FeedPage): FeedPage {
    if (place !== 'start') this.gaps.set(page.position, place);
    return page;
  }

  private async knownHead(): Promise<Either<ReadError, { readonly head: Position; readonly upTo: LogPlace | null }>> {
    if (this.lastHead !== null) return right(this.lastHead);
    const beginning = await this.options.beginning();
    return isLeft(beginning) ? beginning : right({ head: START, upTo: beginning.right });
  }

  private isForeign({ commit }: LogPlace): boolean {
    return this.foreign !== null && commit <= this.foreign.newest.commit && commit > this.foreign.oldest.commit;
  }

  /**
   * Records that the range from `newest` down to `oldest` contains foreign events only; returns the place from which on
   * the log is not searched.
   */
  private addForeign(newest: LogPlace, oldest: LogPlace): LogPlace {
    const known = this.foreign;
    // A gap between the two ranges must be searched first.
    if (known !== null && oldest.commit > known.newest.commit) return oldest;
    const reached = known !== null && known.oldest.commit < oldest.commit ? known.oldest : oldest;
    this.foreign = { newest, oldest: reached };
    return reached;
  }

  private keepHead(head: Position, upTo: LogPlace): Position {
    if (this.lastHead === null || this.lastHead.upTo.commit < upTo.commit) this.lastHead = { head, upTo };
    return head;
  }
}
