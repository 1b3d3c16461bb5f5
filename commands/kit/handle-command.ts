import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Command, type Decider } from '../../domain/kernel/decider';
import {
  type DomainError,
  domainError,
  type ErrorCode,
  invalidField,
  notFound,
  unavailable,
} from '../../domain/kernel/errors';
import { type Position, type DomainEvent, type NewEvent, type StoredEvent, START } from '../../domain/kernel/event';
import { decodeEvent, type EventCatalogue, type EventsOf, unreadable } from '../../domain/kernel/event-catalogue';
import { type AppendError, type EventStore } from '../../domain/ports/event-store';
import { streamIsBroken, readFailed } from '../../domain/ports/read-failed';
import { type CommandContext, type CommandPorts } from './command-context';
import { largestField, requestField } from './request-field';

export interface Handled<S> {
  readonly state: S;
  /** Position of the aggregate's last event: reads at it see the command's result. */
  readonly position: Position;
  /** When that event happened, ISO 8601; null for an aggregate without events. */
  readonly occurredAt: string | null;
}

export interface LoadedStream<E extends DomainEvent, S> {
  readonly state: S;
  readonly events: readonly StoredEvent<E>[];
  /** Of the last event; -1 for an empty stream. */
  readonly revision: number;
}

/** The events of a stream and the state they lead to. */
export interface FoldedStream<T extends EventCatalogue, S> {
  readonly decider: { readonly initial: S; readonly evolve: (state: S, event: EventsOf<T>) => S };
  readonly catalogue: T;
}

/** How an aggregate is kept: its rules and the events it knows. */
export interface Aggregate<C extends Command, T extends EventCatalogue, S, R extends Record<C['type'], DomainError>> {
  readonly decider: Decider<C, EventsOf<T>, S, R>;
  readonly catalogue: T;
}

/**
 * A last check outside the stream. What it is told happens next in the stream after `revision` (-1: the first event),
 * or not at all: when someone else is faster, it is asked again.
 */
export type Precondition<S, F extends DomainError = DomainError> = (
  before: S,
  after: S,
  revision: number,
) => Promise<Either<F, unknown>>;

/** A stream could not be read, or an event of it is unknown. */
export type ReadFailure = DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>;

/** How every command can fail, whatever it is; every endpoint may answer these. */
export type CommandFailure = ReadFailure | DomainError<'CONFLICT' | 'PAYLOAD_TOO_LARGE' | 'VALIDATION_FAILED'>;

/** The outcome of a command that has refusals of its own, of the codes `Code`. */
export type CommandResult<A, Code extends ErrorCode = never> = Promise<Either<CommandFailure | DomainError<Code>, A>>;

/** What a command on an aggregate can be refused with. */
export type RefusalOf<A, X extends Command> =
  A extends Aggregate<infer C, infer _T, infer _S, infer R> ? R[X['type'] & C['type']] : never;

/** Lets a command through only while `revision` is the stream's last: it was decided on what was seen there. */
export const requireRevision =
  (revision: number): Precondition<unknown, DomainError<'CONFLICT'>> =>
  (_before, _after, current) =>
    Promise.resolve(
      current === revision
        ? right(undefined)
        : left(domainError('CONFLICT', `The stream has gone on from revision ${revision} to ${current}.`)),
    );

/** More lost races than this in a row mean something is wrong with the stream, not bad luck. */
const MAX_CONFLICTS = 20;

/**
 * The write side's one loop: load the stream, decide, append at the revision that was seen; when someone else was
 * faster, decide again on what they wrote. A stream that is known is decided on unread: the append proves that nothing
 * came after, and without an append the stream is read and decided on again.
 */
export const handleCommand = async <
  C extends Command,
  T extends EventCatalogue,
  S,
  R extends Record<C['type'], DomainError>,
  const X extends C,
  F extends DomainError = never,
>(
  { store, clock, ids, afterLostRace, recent }: CommandPorts,
  aggregate: Aggregate<C, T, S, R>,
  streamId: string,
  command: X,
  context: CommandContext,
  precondition?: Precondition<S, F>,
): Promise<Either<R[X['type']] | F | CommandFailure, Handled<S>>> => {
  const { decider, catalogue } = aggregate;
  let isDoubtful = false;
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const known = recent?.find(aggregate, streamId, context.commandId);
    const isUnread = known !== undefined && !isDoubtful;
    const loaded = isUnread ? right({ ...known, events: [] }) : await loadStream(store, aggregate, streamId, known);
    if (isLeft(loaded)) return loaded;
    isDoubtful = true;
    const { state, events, revision } = loaded.right;
    const last = events.at(-1);
    const before = {
      position: last?.position ?? known?.position ?? START,
      occurredAt: last?.metadata.occurredAt ?? known?.occurredAt ?? null,
    };
    const done = doneBefore(decider, events, known?.state ?? decider.initial, context.commandId);
    if (done !== null) return right(done);

    const now = clock.now();
    const decided = decider.decide(command, state, { now, actor: context.actor });
    if (isUnread && (isLeft(decided) || decided.right.length === 0)) continue;
    if (isLeft(decided)) return decided;
    if (decided.right.length === 0) return right({ state, ...before });

    const next = decided.right.reduce(decider.evolve, state);
    const held = await precondition?.(state, next, revision);
    if (isUnread && held !== undefined && isLeft(held)) continue;
    if (held !== undefined && isLeft(held)) return held;
    const newEvents = decided.right.map((event, index) =>
      newEvent(event, catalogue, ids.derivedUuid(context.commandId, `${streamId}:${index}`), context, now),
    );
    const appended = await store.append(streamId, revision < 0 ? 'no_stream' : revision, newEvents);
    if (!isLeft(appended)) {
      const { position } = appended.right;
      const handled = { state: next, position, occurredAt: now.toISOString() };
      recent?.keep(aggregate, streamId, { ...handled, revision: revision + newEvents.length }, [
        ...events,
        ...newEvents,
      ]);
      return right(handled);
    }
    if (!isUnread) recent?.forget(streamId);
    if (appended.left.kind !== 'wrong_expected_revision') return left(appendFailed(appended.left, newEvents));
    await afterLostRace?.(conflicts + 1);
  }
  const message = `${streamId} changed ${MAX_CONFLICTS} times while the command was decided. Nothing was written; try again.`;
  return left(domainError('CONFLICT', message));
};

/** What this command led to when it was handled before; others may have changed it since. */
const doneBefore = <E extends DomainEvent, S>(
  { evolve }: { readonly evolve: (state: S, event: E) => S },
  events: readonly StoredEvent<E>[],
  state: S,
  commandId: string,
): Handled<S> | null => {
  const last = events.findLast(({ metadata }) => metadata.commandId === commandId);
  if (last === undefined) return null;
  const until = events.filter(({ revision }) => revision <= last.revision);
  return { state: until.reduce(evolve, state), position: last.position, occurredAt: last.metadata.occurredAt };
};

/** A decider that has no state does not know its id: this puts it into the refusal. */
export const withResourceName = <F extends DomainError, A>(
  resource: string,
  id: number,
  result: Either<F, A>,
): Either<F | DomainError<'RESOURCE_NOT_FOUND'>, A> =>
  isLeft(result) && result.left.code === 'RESOURCE_NOT_FOUND' ? left(notFound(resource, id)) : result;

/** Reads and folds what comes in a stream after what is known of it already; an unknown one is empty. */
export const loadStream = async <T extends EventCatalogue, S>(
  store: EventStore,
  { decider, catalogue }: FoldedStream<T, S>,
  streamId: string,
  known: Pick<LoadedStream<never, S>, 'state' | 'revision'> = { state: decider.initial, revision: -1 },
): Promise<Either<ReadFailure, LoadedStream<EventsOf<T>, S>>> => {
  const read = await store.readStream(streamId, { fromRevision: known.revision + 1 });
  if (isLeft(read)) return left(readFailed(read.left));
  const events: StoredEvent<EventsOf<T>>[] = [];
  for (const stored of read.right) {
    const event = decodeEvent(catalogue, stored);
    if (isLeft(event)) return left(unreadable(event.left));
    events.push(event.right);
  }
  const revision = events.at(-1)?.revision ?? known.revision;
  return right({ state: events.reduce(decider.evolve, known.state), events, revision });
};

/** An event of a catalogue, ready for the store. */
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

type AppendFailure = DomainError<'PAYLOAD_TOO_LARGE' | 'VALIDATION_FAILED' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>;

/** What a failed append of these events means to the caller. A lost race is the caller's own business. */
export const appendFailed = (
  error: Exclude<AppendError, { kind: 'wrong_expected_revision' }>,
  events: readonly NewEvent[],
): AppendFailure => {
  switch (error.kind) {
    case 'too_large': {
      const field = largestField(events);
      const message = `${error.streamId} cannot take ${error.bytes} bytes at once; the most is ${error.maxBytes}. Send less${field === null ? '' : `, above all in ${field}`}.`;
      return domainError('PAYLOAD_TOO_LARGE', message, { max_bytes: error.maxBytes, ...(field !== null && { field }) });
    }
    case 'invalid_text':
      return invalidField(requestField(error.field), 'must not contain the character U+0000 or half a surrogate pair');
    case 'broken_stream':
      return streamIsBroken(error);
    case 'unknown_outcome': {
      const message = `The event store did not answer while it wrote to ${error.streamId} (${error.reason}). The change may have been made, or still be made; send the same request again, or read it.`;
      return domainError('SERVICE_UNAVAILABLE', message);
    }
    case 'unavailable':
      return unavailable('The event store', error.reason);
  }
};
