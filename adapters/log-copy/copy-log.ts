import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { canonicalJson, type LoggedEvent } from '../../domain/kernel/canonical-event';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { appendInOrder, appendWindows, nameOf, USE_EMPTY_STORE } from './append-in-order';
import { type LogDigest, logDigester } from './log-file-format';
import { type CopyFailure, type LogPages, pagesOf } from './log-pages';

export interface CopyLogOptions<E extends LoggedEvent> {
  readonly source: LogPages<E>;
  readonly target: EventStore;
  /** Whether the target writes appends in the order in which they are sent, also within a stream. Default: false. */
  readonly ordered?: boolean;
  /** Duration, in milliseconds, of the retries of each call to an unavailable store. Default: two minutes. */
  readonly timeoutMs?: number;
  /** Names of the logs in failures. */
  readonly names: { readonly source: string; readonly target: string };
  /** Called once before the first write; a failure ends the copy. */
  readonly beforeFirstWrite?: () => Promise<Either<CopyFailure, unknown>>;
  /** Each event of the source, then each of the target, with its ordinal from 1. */
  readonly onSource?: (event: E, ordinal: number) => void;
  readonly onTarget?: (event: StoredEvent, ordinal: number) => void;
  /** Called often, with the current step and the number of events it has reached. */
  readonly onProgress?: (step: 'comparing' | 'copying' | 'verifying', events: number) => void;
}

export interface CopiedLog extends LogDigest {
  /** Number of events written by this run; the others already existed. */
  readonly written: number;
}

/**
 * Writes the events of one log to another, in the same order, with the same ids and revisions, and reads the result
 * again to compare number and hash. The target is empty, or contains the first events of the source after an
 * interrupted copy, which is then resumed; any other content is rejected before writing. Other programs must not write
 * to either log.
 */
export const copyLog = async <E extends LoggedEvent>(
  options: CopyLogOptions<E>,
): Promise<Either<CopyFailure, CopiedLog>> => {
  const filled = await fill(options);
  if (isLeft(filled)) return filled;
  const { names, target, timeoutMs, onTarget, onProgress } = options;
  const digester = logDigester();
  for await (const page of pagesOf(names.target, target, timeoutMs)) {
    if (isLeft(page)) return page;
    for (const event of page.right) {
      digester.add(event);
      onTarget?.(event, digester.count());
    }
    onProgress?.('verifying', digester.count());
  }
  const found = digester.end();
  const { events, sha256 } = filled.right;
  return found.events === events && found.sha256 === sha256
    ? right(filled.right)
    : left({
        message: `The copy in ${names.target} is not the same log: ${found.events} events with SHA-256 ${found.sha256}, where ${names.source} has ${events} with ${sha256}. ${USE_EMPTY_STORE}`,
      });
};

/** Appends the missing events to the target; returns the digest of the source. */
const fill = async <E extends LoggedEvent>({
  source,
  target,
  ordered = false,
  timeoutMs,
  names,
  beforeFirstWrite,
  onSource,
  onProgress,
}: CopyLogOptions<E>): Promise<Either<CopyFailure, CopiedLog>> => {
  const digester = logDigester();
  const present = presentEvents(pagesOf(names.target, target, timeoutMs));
  let written = 0;
  for await (const page of source) {
    if (isLeft(page)) return page;
    const fresh: LoggedEvent[] = [];
    for (const event of page.right) {
      const json = digester.add(event);
      onSource?.(event, digester.count());
      const there = await present.next();
      if (isLeft(there)) return there;
      if (there.right === null) fresh.push(event);
      else if (canonicalJson(there.right) !== json) return left(differs(names, event, there.right, digester.count()));
    }
    if (written === 0 && fresh.length > 0) {
      const begun = await beforeFirstWrite?.();
      if (begun !== undefined && isLeft(begun)) return begun;
    }
    onProgress?.(fresh.length > 0 ? 'copying' : 'comparing', digester.count());
    for (const window of appendWindows(fresh, ordered)) {
      const appended = await appendInOrder(target, names.target, window, timeoutMs);
      if (isLeft(appended)) return appended;
    }
    written += fresh.length;
  }
  const beyond = await present.next();
  if (isLeft(beyond)) return beyond;
  return beyond.right === null
    ? right({ ...digester.end(), written })
    : left({
        message: `${names.target} holds more than ${names.source}: after ${digester.count()} events, ${nameOf(beyond.right)}. It has been written to since, or is another log. Nothing was written. ${USE_EMPTY_STORE}`,
      });
};

/** The events in the target, one by one; null after the last, on every further call. */
const presentEvents = (pages: LogPages<StoredEvent>) => {
  let page: readonly StoredEvent[] = [];
  let index = 0;
  let ended = false;
  return {
    next: async (): Promise<Either<CopyFailure, StoredEvent | null>> => {
      if (index === page.length && !ended) {
        const read = await pages.next();
        if (read.done) ended = true;
        else if (isLeft(read.value)) return read.value;
        else [page, index] = [read.value.right, 0];
      }
      return right(ended ? null : (page[index++] ?? null));
    },
  };
};

const differs = (
  names: { readonly source: string; readonly target: string },
  expected: LoggedEvent,
  found: LoggedEvent,
  ordinal: number,
): CopyFailure => ({
  message: `${names.target} does not hold a part of this log: event ${ordinal} is ${nameOf(expected)} in ${names.source} and ${nameOf(found)} in ${names.target}. Nothing was written. ${USE_EMPTY_STORE}`,
});

/** Maps positions of a log to those of its copy. Does not store other events. */
export const positionMapper = (wanted: readonly Position[]) => {
  const missing = new Set(wanted.filter((position) => position !== START));
  const byOrdinal = new Map<number, Position>();
  const moved = new Map<Position, Position>([[START, START]]);
  return {
    /** Call with each event of the source; `ordinal` counts from its first event. */
    seeSource: ({ position }: StoredEvent, ordinal: number): void => {
      if (missing.delete(position)) byOrdinal.set(ordinal, position);
    },
    /** Call with each event of the copy. */
    seeCopy: ({ position }: StoredEvent, ordinal: number): void => {
      const before = byOrdinal.get(ordinal);
      if (before !== undefined) moved.set(before, position);
    },
    /** From positions of the source to those of the copy, after both were read. */
    result: (): ReadonlyMap<Position, Position> => moved,
  };
};
