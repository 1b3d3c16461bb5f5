import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type Position, START, type StoredEvent } from '../../domain/kernel/event';
import { decodeEvent, unreadable } from '../../domain/kernel/event-catalogue';
import { type EventStore, readFailed } from '../../domain/ports/event-store';
import {
  addToRange,
  emptyRange,
  type LogSealed,
  NO_HASH,
  type SealedRange,
  sealEvents,
  sealOf,
  SEALS_STREAM,
  type Sha256,
} from '../../domain/seals';
import { appendDecided, type Attempt } from '../kit/append-decided';
import { type CommandPorts, contextOf } from '../kit/command-context';
import { newEvent } from '../kit/handle-command';
import { type Job, type JobRun } from './job';

export interface SealPorts extends CommandPorts {
  readonly sha256: Sha256;
  readonly onSealed: (seal: NumberedSeal) => void;
}

/** The first seal has number 1. */
export type NumberedSeal = LogSealed & { readonly number: number };

/** Events to hold in memory at once. */
const PAGE = 1_000;
/** Events of one seal, about: what a stopped replica has to read again. */
const MOST_EVENTS = 100_000;
const ACTOR = { username: 'system:job-seal', role: 'system' } as const;

/**
 * Seals the events since the last seal, unless they are seals themselves: an idle log does not grow. The run leaves no
 * event of its own. A log without seals is sealed in parts.
 */
export const sealJob = (ports: SealPorts): Job => ({
  name: 'seal',
  run: async (run) => {
    const done = { seals: 0, events_sealed: 0 };
    for (;;) {
      const sealed = await appendSeal(ports, run);
      if (isLeft(sealed)) return sealed;
      if (sealed.right === null) return right(done);
      ports.onSealed(sealed.right);
      done.seals += 1;
      done.events_sealed += sealed.right.count;
      // Later events are for the next run.
      if (sealed.right.count < MOST_EVENTS) return right(done);
    }
  },
});

/** Appends the next seal. Another replica that does the same makes this one read again, from the other's seal. */
const appendSeal = (ports: SealPorts, { signal, cause }: JobRun): Promise<Either<DomainError, NumberedSeal | null>> =>
  appendDecided(ports, SEALS_STREAM, async (): Promise<Either<DomainError, Attempt<NumberedSeal | null>>> => {
    const { store, clock, ids } = ports;
    const newest = await newestSeal(store);
    if (isLeft(newest)) return newest;
    const start = await endOf(store, newest.right);
    if (isLeft(start)) return start;
    const range = await readRange(ports, start.right, newest.right?.data.hash ?? NO_HASH, signal);
    if (isLeft(range)) return range;
    const seal = signal.aborted ? null : sealOf(range.right);
    const revision = newest.right?.revision ?? -1;
    if (seal === null) return right({ revision, events: [], result: () => null });
    const context = contextOf(ids, ACTOR, cause);
    const event = newEvent({ type: 'LogSealed', data: seal }, sealEvents, ids.uuid(), context, clock.now());
    return right({ revision, events: [event], result: () => ({ ...seal, number: revision + 2 }) });
  });

type SealEvent = StoredEvent<{ readonly type: 'LogSealed'; readonly data: LogSealed }>;

/** Null for a log without seals. */
const newestSeal = async (store: EventStore): Promise<Either<DomainError, SealEvent | null>> => {
  const read = await store.readStream(SEALS_STREAM, { direction: 'backwards', limit: 1 });
  if (isLeft(read)) return left(readFailed(read.left));
  const [newest] = read.right;
  if (newest === undefined) return right(null);
  const decoded = decodeEvent(sealEvents, newest);
  return isLeft(decoded) ? left(unreadable(decoded.left)) : decoded;
};

/** The position of the last event of a seal. Positions are not in a seal, because those of a copy of the log differ. */
const endOf = async (store: EventStore, seal: SealEvent | null): Promise<Either<DomainError, Position>> => {
  if (seal === null) return right(START);
  const { lastStreamId, lastRevision, lastEventId } = seal.data;
  const read = await store.readStream(lastStreamId, { fromRevision: lastRevision, limit: 1 });
  if (isLeft(read)) return left(readFailed(read.left));
  const [last] = read.right;
  if (last?.id === lastEventId && last.revision === lastRevision) return right(last.position);
  const message = `The last sealed event, ${lastEventId} (${lastStreamId}@${lastRevision}), is not in the log. Run rowgraph verify --seals; see docs/operations/audit.md.`;
  return left(domainError('INTERNAL_ERROR', message));
};

/**
 * The events after a position, up to the end of the log or the size of a seal. The store returns events in the order in
 * which they became visible, so that none appears later among those that were read.
 */
const readRange = async (
  { store, sha256 }: SealPorts,
  after: Position,
  hash: string,
  signal: AbortSignal,
): Promise<Either<DomainError, SealedRange>> => {
  let range = emptyRange(hash);
  let position = after;
  while (range.count < MOST_EVENTS && !signal.aborted) {
    const read = await store.readAll(position, PAGE);
    if (isLeft(read)) return left(readFailed(read.left));
    if (read.right.position === position) break;
    range = read.right.events.reduce((before, event) => addToRange(sha256, before, event), range);
    position = read.right.position;
  }
  return right(range);
};
