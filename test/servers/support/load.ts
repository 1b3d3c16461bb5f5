import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import { comparePositions, type NewEvent, type Position, START, type StoredEvent } from '../../../domain/kernel/event';
import { type Appended, type EventStore, type ExpectedRevision } from '../../../domain/ports/event-store';
import { newEvents } from '../../contracts/event-store/event-samples';
import { waitFor } from '../../support/wait-for';
import { CATEGORY } from './open-store';

/** An append as its writer knows it. */
interface Attempt {
  readonly streamId: string;
  readonly ids: readonly string[];
  /** Null: the writer gave up without an acknowledgement. */
  acknowledged: Appended | null;
  /** Whether any answer left open if it was written. */
  mayBeWritten: boolean;
}

export interface Load {
  /** The number of appends acknowledged so far. */
  acknowledged(): number;
  /** Resolves after this many more acknowledged appends. */
  more(appends: number): Promise<void>;
  /** Sends one more append, and repeats it until it is acknowledged; resolves with that time (`performance.now`). */
  taken(): Promise<number>;
  /** The longest time in which an append was answered. */
  longestMs(): number;
  /**
   * Stops the writers, lets the followers reach the end of the log, and returns all errors; an empty list is expected.
   */
  stop(): Promise<readonly string[]>;
}

/** One in this many failed appends is not repeated, as if its caller had disconnected. */
const GIVES_UP_ONE_IN = 4;
const SLOW_BEHIND = 40;

/**
 * Writers that append one to three events at a time and repeat failed appends, beside a reader of their streams and
 * followers of the feed, one of which is slow: it takes the next page only after the log has grown.
 */
export const startLoad = (
  store: EventStore,
  { writers, follower = store }: { readonly writers: number; readonly follower?: EventStore },
): Load => {
  const attempts: Attempt[] = [];
  const wrong: string[] = [];
  let [acknowledged, longestMs, isOver] = [0, 0, false];

  const send = async (
    streamId: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    givesUp = () => isOver || randomInt(GIVES_UP_ONE_IN) === 0,
  ): Promise<Appended | null> => {
    const attempt: Attempt = { streamId, ids: events.map(({ id }) => id), acknowledged: null, mayBeWritten: false };
    attempts.push(attempt);
    for (;;) {
      const sentAt = performance.now();
      const outcome = await store.append(streamId, expected, events);
      longestMs = Math.max(longestMs, performance.now() - sentAt);
      if (isRight(outcome)) {
        attempt.acknowledged = outcome.right;
        acknowledged += 1;
        return outcome.right;
      }
      const { kind } = outcome.left;
      if (kind !== 'unavailable' && kind !== 'unknown_outcome') {
        wrong.push(`an append to ${streamId} after ${String(expected)}: ${JSON.stringify(outcome.left)}`);
        return null;
      }
      attempt.mayBeWritten ||= kind === 'unknown_outcome';
      if (givesUp()) return null;
      await sleep(20);
    }
  };
  const write = async (writer: number): Promise<void> => {
    let [stream, revision] = [0, -1];
    while (!isOver) {
      const streamId = `${CATEGORY}-${writer}x${stream}`;
      const appended = await send(streamId, revision < 0 ? 'no_stream' : revision, newEvents(1 + randomInt(3)));
      // An abandoned append may still be written: its stream is not used again.
      if (appended === null) [stream, revision] = [stream + 1, -1];
      else ({ revision } = appended);
    }
  };
  /**
   * Reads streams from beginning to end: the answer must contain everything that was acknowledged before the request.
   */
  const read = async (): Promise<void> => {
    while (!isOver) {
      const { streamId, acknowledged: known } = attempts[randomInt(attempts.length)] ?? { streamId: '' };
      const outcome = known == null ? null : await store.readStream(streamId);
      if (outcome === null || isLeft(outcome)) await sleep(20);
      else if (known != null && outcome.right.length <= known.revision)
        wrong.push(`${streamId} has revision ${known.revision}, and ${outcome.right.length} events were read of it`);
    }
  };

  const closing = new AbortController();
  const followers = [false, true].map((isSlow) => {
    const seen: string[] = [];
    let at: Position = START;
    const following = (async () => {
      for await (const page of follower.subscribeAll(START, { batchSize: 50, signal: closing.signal })) {
        seen.push(...page.events.map(({ id }) => id));
        at = page.position;
        const wanted = acknowledged + SLOW_BEHIND;
        if (isSlow)
          await waitFor(
            'the number of acknowledged events is reached',
            () => isOver || acknowledged >= wanted,
            300_000,
          );
      }
    })();
    return { name: isSlow ? 'the slow follower' : 'the follower', seen, following, at: () => at };
  });
  const working = [...Array.from({ length: writers }, (_, writer) => write(writer)), read()];

  return {
    acknowledged: () => acknowledged,
    more: (appends) => {
      const wanted = acknowledged + appends;
      return waitFor(`${appends} more appends are acknowledged`, () => acknowledged >= wanted, 120_000);
    },
    taken: async () => {
      await send(`${CATEGORY}-single${attempts.length}`, 'no_stream', newEvents(2), () => false);
      return performance.now();
    },
    longestMs: () => longestMs,
    stop: async () => {
      isOver = true;
      await Promise.all(working);
      const log = await readLog(store);
      const end = log.at(-1)?.position ?? START;
      for (const { name, at } of followers)
        await waitFor(`${name} reaches the end of the log`, () => comparePositions(at(), end) >= 0);
      closing.abort();
      await Promise.all(followers.map(({ following }) => following));
      const ids = log.map(({ id }) => id);
      return [
        ...wrong,
        ...differencesOf(attempts, log),
        ...followers.flatMap(({ name, seen }) => differencesInOrder(name, seen, ids)),
      ].slice(0, 20);
    },
  };
};

/** Everything in the log, in order. */
export const readLog = async (store: EventStore): Promise<readonly StoredEvent[]> => {
  const log: StoredEvent[] = [];
  for (let after: Position = START; ;) {
    const page = await store.readAll(after, 1_000);
    if (isLeft(page)) throw new Error(JSON.stringify(page.left));
    if (page.right.position === after) return log;
    log.push(...page.right.events);
    after = page.right.position;
  }
};

/** Events that the log lacks, or has more than once or at another position than acknowledged. */
const differencesOf = (attempts: readonly Attempt[], log: readonly StoredEvent[]): readonly string[] => {
  const places = new Map<string, StoredEvent[]>();
  for (const event of log) places.set(event.id, [...(places.get(event.id) ?? []), event]);
  const known = new Set(attempts.flatMap(({ ids }) => ids));
  return [
    ...[...places].filter(([, { length }]) => length > 1).map(([id]) => `${id} is in the log more than once`),
    ...log.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} is in the log, but was not written`),
    ...attempts.flatMap(({ streamId, ids, acknowledged, mayBeWritten }) => {
      const found = ids.flatMap((id) => places.get(id) ?? []);
      const append = `the append of ${ids.length} events to ${streamId}`;
      if (found.length !== ids.length && found.length > 0) return [`${append} is there in part`];
      if (found.length === 0) return acknowledged === null ? [] : [`${append} was acknowledged and is lost`];
      if (acknowledged === null) return mayBeWritten ? [] : [`${append} is there, and was said not to be`];
      const { position, revision } = found.at(-1)!;
      const isAsAcknowledged = position === acknowledged.position && revision === acknowledged.revision;
      return isAsAcknowledged
        ? []
        : [`${append} is at ${revision}, ${position}: acknowledged was ${JSON.stringify(acknowledged)}`];
    }),
  ];
};

const differencesInOrder = (name: string, seen: readonly string[], ids: readonly string[]): readonly string[] => {
  const at = ids.findIndex((id, place) => seen[place] !== id);
  if (at >= 0)
    return [`${name} saw ${seen[at] ?? 'nothing'} instead of ${ids[at] ?? ''} as event ${at} of ${ids.length}`];
  return seen.length === ids.length ? [] : [`${name} saw ${seen.length} events of ${ids.length}`];
};
