import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Command, type Decider } from '../../domain/kernel/decider';
import { type DomainError, domainError, type ErrorCode } from '../../domain/kernel/errors';
import { type Position, type DomainEvent, type NewEvent, type StoredEvent, START } from '../../domain/kernel/event';
import { decodeEvent, type EventCatalogue, type EventsOf, unreadable } from '../../domain/kernel/event-catalogue';
import { type EventStore, readFailed } from '../../domain/ports/event-store';
import { appendDecided, type AppendFailure, type Attempt } from './append-decided';
import { type CommandContext, type CommandPorts } from './command-context';
import { type CachedStream } from './recent-streams';

/** The result of a handled command. */
export interface CommandOutcome<S> {
  readonly state: S;
  /** Position of the aggregate's last event: reads at this position include the result of the command. */
  readonly position: Position;
  /** Time of that event, ISO 8601; of the command for an aggregate without events. */
  readonly occurredAt: string;
}

export interface LoadedStream<E extends DomainEvent, S> {
  readonly state: S;
  readonly events: readonly StoredEvent<E>[];
  /** The revision of the last event; -1 for an empty stream. */
  readonly revision: number;
}

/** The events of a stream and the state folded from them. */
export interface FoldedStream<T extends EventCatalogue, S> {
  readonly decider: { readonly initial: S; readonly evolve: (state: S, event: EventsOf<T>) => S };
  readonly catalogue: T;
}

/** The decider and the events of an aggregate. */
export interface Aggregate<C extends Command, T extends EventCatalogue, S, R extends Record<C['type'], DomainError>> {
  readonly decider: Decider<C, EventsOf<T>, S, R>;
  readonly catalogue: T;
}

/**
 * A final check outside the stream, before an append that changes `before` to `after` directly after `revision` (-1:
 * the first event). After a conflict the check runs again.
 */
export type Precondition<S, F extends DomainError = DomainError> = (
  before: S,
  after: S,
  revision: number,
) => Promise<Either<F, unknown>>;

/** A stream could not be read, or has an unknown event. */
export type ReadFailure = DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>;

/** Errors that every command, and so every endpoint, may return. */
export type CommandFailure = ReadFailure | AppendFailure;

/** The outcome of a command whose own rejections have the codes `Code`. */
export type CommandResult<A, Code extends ErrorCode = never> = Promise<Either<CommandFailure | DomainError<Code>, A>>;

/** The result of work that may fail in any way. */
export type Done<A = unknown> = Promise<Either<DomainError, A>>;

/** The rejections of a command on an aggregate. */
export type RefusalOf<A, X extends Command> =
  A extends Aggregate<infer C, infer _T, infer _S, infer R> ? R[X['type'] & C['type']] : never;

/** Accepts a command only while `revision` is the last one of the stream, since it was decided on that state. */
export const requireRevision =
  (revision: number): Precondition<unknown, DomainError<'CONFLICT'>> =>
  (_before, _after, current) =>
    Promise.resolve(
      current === revision
        ? right(undefined)
        : left(domainError('CONFLICT', `The stream has changed from revision ${revision} to ${current}; try again.`)),
    );

/**
 * Handles a command: loads the stream, decides, appends at the loaded revision. A cached state is used without a read:
 * the append verifies that it is current; without an append the stream is read and the command decided again.
 */
export const handleCommand = async <
  C extends Command,
  T extends EventCatalogue,
  S,
  R extends Record<C['type'], DomainError>,
  const X extends C,
  F extends DomainError = never,
>(
  ports: CommandPorts,
  aggregate: Aggregate<C, T, S, R>,
  streamId: string,
  command: X,
  context: CommandContext,
  precondition?: Precondition<S, F>,
): Promise<Either<R[X['type']] | F | CommandFailure, CommandOutcome<S>>> => {
  const { store, clock, ids, recent } = ports;
  const { decider, catalogue } = aggregate;
  const id = streamId.slice(streamId.indexOf('-') + 1);

  const decideOn = async (
    { state, events, revision }: LoadedStream<EventsOf<T>, S>,
    known: CachedStream<S> | undefined,
  ): Promise<Either<R[X['type']] | F, Attempt<CommandOutcome<S>>>> => {
    const unchanged = (handled: CommandOutcome<S>) => right({ revision, events: [], result: () => handled });
    const done = doneBefore(decider, events, known?.state ?? decider.initial, context.commandId);
    if (done !== null) return unchanged(done);
    const now = clock.now();
    const decided = decider.decide(command, state, { now, actor: context.actor, id });
    if (isLeft(decided)) return decided;
    if (decided.right.length === 0) return unchanged({ state, ...(lastOf(events, known) ?? beginningAt(now)) });
    const next = decided.right.reduce(decider.evolve, state);
    const held = await precondition?.(state, next, revision);
    if (held !== undefined && isLeft(held)) return held;
    const newEvents = decided.right.map((event, index) =>
      newEvent(event, catalogue, ids.derivedUuid(context.commandId, `${streamId}:${index}`), context, now),
    );
    const result = (position: Position): CommandOutcome<S> => {
      const handled = { state: next, position, occurredAt: now.toISOString() };
      const kept = { ...handled, revision: revision + newEvents.length };
      recent?.keep(aggregate, streamId, kept, [...events, ...newEvents]);
      return handled;
    };
    return right({ revision, events: newEvents, result });
  };

  let isStale = false;
  let wasRead = false;
  const run = () =>
    appendDecided<CommandOutcome<S>, R[X['type']] | F | ReadFailure>(ports, streamId, async () => {
      if (wasRead) recent?.forget(streamId);
      const known = recent?.find(aggregate, streamId, context.commandId);
      if (known !== undefined && !isStale) {
        isStale = true;
        const unread = await decideOn({ ...known, events: [] }, known);
        if (!isLeft(unread) && unread.right.events.length > 0) return unread;
      }
      [isStale, wasRead] = [true, true];
      const loaded = await loadStream(store, aggregate, streamId, known);
      return isLeft(loaded) ? loaded : decideOn(loaded.right, known);
    });
  return ports.observe?.({ kind: 'command', name: command.type }, run) ?? run();
};

/** Position and time of the last event; undefined for a stream without events. */
const lastOf = (events: readonly StoredEvent[], known: CachedStream<unknown> | undefined) => {
  const last = events.at(-1);
  if (last !== undefined) return { position: last.position, occurredAt: last.metadata.occurredAt };
  return known && { position: known.position, occurredAt: known.occurredAt };
};

const beginningAt = (now: Date) => ({ position: START, occurredAt: now.toISOString() });

/** The result of an earlier run of this command; later commands may have changed it. */
const doneBefore = <E extends DomainEvent, S>(
  { evolve }: { readonly evolve: (state: S, event: E) => S },
  events: readonly StoredEvent<E>[],
  state: S,
  commandId: string,
): CommandOutcome<S> | null => {
  const last = events.findLast(({ metadata }) => metadata.commandId === commandId);
  if (last === undefined) return null;
  const until = events.filter(({ revision }) => revision <= last.revision);
  return { state: until.reduce(evolve, state), position: last.position, occurredAt: last.metadata.occurredAt };
};

/** Reads at most `limit` events of a stream after the known ones and folds them; an unknown stream is empty. */
export const loadStream = async <T extends EventCatalogue, S>(
  store: EventStore,
  { decider, catalogue }: FoldedStream<T, S>,
  streamId: string,
  known: Pick<LoadedStream<never, S>, 'state' | 'revision'> = { state: decider.initial, revision: -1 },
  limit?: number,
): Promise<Either<ReadFailure, LoadedStream<EventsOf<T>, S>>> => {
  const loaded = await loadEvents(store, catalogue, streamId, known.revision, limit);
  if (isLeft(loaded)) return loaded;
  const events = loaded.right;
  const revision = events.at(-1)?.revision ?? known.revision;
  return right({ state: events.reduce(decider.evolve, known.state), events, revision });
};

/** Reads at most `limit` events of a stream after a revision, -1 for the beginning. */
export const loadEvents = async <T extends EventCatalogue>(
  store: EventStore,
  catalogue: T,
  streamId: string,
  after: number,
  limit?: number,
): Promise<Either<ReadFailure, readonly StoredEvent<EventsOf<T>>[]>> => {
  const read = await store.readStream(streamId, { fromRevision: after + 1, limit });
  if (isLeft(read)) return left(readFailed(read.left));
  const events: StoredEvent<EventsOf<T>>[] = [];
  for (const stored of read.right) {
    const event = decodeEvent(catalogue, stored);
    if (isLeft(event)) return left(unreadable(event.left));
    events.push(event.right);
  }
  return right(events);
};

/** Loads a stream and caches it, so that a command on it does not read it again. */
export const loadRecent = async <T extends EventCatalogue, S>(
  { store, recent }: CommandPorts,
  aggregate: FoldedStream<T, S>,
  streamId: string,
): Promise<Either<ReadFailure, S>> => {
  const known = recent?.find(aggregate, streamId);
  const loaded = await loadStream(store, aggregate, streamId, known);
  if (isLeft(loaded)) return loaded;
  const { state, revision, events } = loaded.right;
  const last = lastOf(events, known);
  if (last !== undefined) recent?.keep(aggregate, streamId, { ...last, state, revision }, events);
  return right(state);
};

/** Converts an event of a catalogue to one for the store. */
export const newEvent = <T extends EventCatalogue>(
  event: DomainEvent,
  catalogue: T,
  id: string,
  context: CommandContext,
  now: Date,
): NewEvent => ({
  id,
  type: event.type,
  schemaVersion: catalogue[event.type]?.schemaVersion ?? 1,
  data: event.data,
  metadata: {
    commandId: context.commandId,
    correlationId: context.correlationId,
    causationId: context.causationId,
    actor: context.actor.username,
    role: context.actor.role,
    occurredAt: now.toISOString(),
  },
});
