import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AggregateTypes, type Command, type Decider, type RejectionOf } from '../../domain/kernel/decider';
import { type DomainError, domainError, type ErrorCode } from '../../domain/kernel/errors';
import { type DomainEvent, type NewEvent, type Position, type StoredEvent } from '../../domain/kernel/event';
import { type CatalogueOf, type EventCatalogue } from '../../domain/kernel/event-catalogue';
import { appendDecided, type AppendFailure, type Attempt } from './append-decided';
import { type CommandContext, type CommandPorts } from './command-context';
import { loadHistory, loadStream, type ReadFailure } from './load-stream';
import { type LoadedStream, streamAfter } from './stream-cache';

/** The result of a handled command. */
export interface CommandOutcome<S> {
  readonly state: S;
  /** Position of the aggregate's last event: reads at this position include the result of the command. */
  readonly position: Position;
  /** Time of that event, ISO 8601; of the command for an aggregate without events. */
  readonly occurredAt: string;
}

/** The decider and the events of an aggregate. */
export interface Aggregate<T extends AggregateTypes> {
  readonly decider: Decider<T>;
  readonly catalogue: CatalogueOf<T['event']>;
}

/**
 * A final check outside the stream, before an append that changes `before` to `after` directly after `revision` (-1:
 * the first event). After a conflict the check runs again. It rejects like the command that it belongs to.
 */
export type Precondition<S, F = never> = (
  before: S,
  after: S,
  revision: number,
) => Promise<Either<CommandFailure | F, unknown>>;

/** Errors that every command, and so every endpoint, may return. */
export type CommandFailure = ReadFailure | AppendFailure;

/** The outcome of a command whose own rejections have the codes `Code`. */
export type CommandResult<A, Code extends ErrorCode = never> = Promise<Either<CommandFailure | DomainError<Code>, A>>;

/** The result of work that may fail in any way. */
export type Done<A = unknown> = Promise<Either<DomainError, A>>;

/** The result of a command on an aggregate, which the caller may reject with `Code` as well. */
export type Handled<A, X extends Command, Code extends ErrorCode = never> =
  A extends Aggregate<infer T>
    ? Promise<Either<CommandFailure | DomainError<Code> | RejectionOf<T, X>, CommandOutcome<T['state']>>>
    : never;

/** Accepts a command only while `revision` is the last one of the stream, since it was decided on that state. */
export const requireRevision =
  (revision: number): Precondition<unknown> =>
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
export const handleCommand = async <T extends AggregateTypes, const X extends T['command']>(
  ports: CommandPorts,
  aggregate: Aggregate<T>,
  streamId: string,
  command: X,
  context: CommandContext,
  precondition?: Precondition<T['state'], RejectionOf<T, X>>,
): Promise<Either<RejectionOf<T, X> | CommandFailure, CommandOutcome<T['state']>>> => {
  const { store, streams, clock, ids } = ports;
  const { decider } = aggregate;
  type Outcome = CommandOutcome<T['state']>;
  type Decided = Promise<Either<RejectionOf<T, X> | CommandFailure, Attempt<Outcome>>>;

  const decideOn = async (stream: LoadedStream<T['state']>): Decided => {
    const { state, revision } = stream;
    const now = clock.now();
    const id = streamId.slice(streamId.indexOf('-') + 1);
    const decided = decider.decide(command, state, { now, actor: context.actor, id });
    if (isLeft(decided)) return decided;
    const occurredAt = stream.occurredAt ?? now.toISOString();
    if (decided.right.length === 0) return right(unchanged(revision, { ...stream, occurredAt }));
    const next = decided.right.reduce(decider.evolve, state);
    const held = await precondition?.(state, next, revision);
    if (held !== undefined && isLeft(held)) return held;
    const events = decided.right.map((event, index) =>
      newEvent(event, aggregate.catalogue, ids.derivedUuid(context.commandId, `${streamId}:${index}`), context, now),
    );
    const result = (position: Position): Outcome => {
      streams?.keep(
        aggregate,
        streamId,
        streamAfter(stream, next, events, { revision: revision + events.length, position }),
      );
      return { state: next, position, occurredAt: now.toISOString() };
    };
    return right({ revision, events, result });
  };

  const attempt = async (conflicts: number): Decided => {
    const cached = conflicts === 0 ? streams?.find<T['state']>(aggregate, streamId) : undefined;
    if (cached?.commandIds?.has(context.commandId) === false) {
      const unread = await decideOn(cached);
      if (!isLeft(unread) && unread.right.events.length > 0) return unread;
    }
    // The cached state is not one of this log.
    if (conflicts > 1) streams?.forget(aggregate, streamId);
    const loaded = await loadStream(ports, aggregate, streamId);
    if (isLeft(loaded)) return loaded;
    if (loaded.right.commandIds?.has(context.commandId) === false) return decideOn(loaded.right);
    const history = await loadHistory(store, aggregate, streamId);
    if (isLeft(history)) return history;
    const done = doneBefore(decider, history.right.events, context.commandId);
    return done === null ? decideOn(loaded.right) : right(unchanged(loaded.right.revision, done));
  };

  const run = () => appendDecided(ports, streamId, attempt);
  return ports.observe?.({ kind: 'command', name: command.type }, run) ?? run();
};

/** The attempt that appends nothing. */
const unchanged = <S>(
  revision: number,
  { state, position, occurredAt }: CommandOutcome<S>,
): Attempt<CommandOutcome<S>> => ({
  ...{ revision, events: [] },
  result: () => ({ state, position, occurredAt }),
});

/** The result of an earlier run of this command; later commands may have changed it. */
const doneBefore = <E extends DomainEvent, S>(
  { initial, evolve }: { readonly initial: S; readonly evolve: (state: S, event: E) => S },
  events: readonly StoredEvent<E>[],
  commandId: string,
): CommandOutcome<S> | null => {
  const index = events.findLastIndex(({ metadata }) => metadata.commandId === commandId);
  const last = events[index];
  if (last === undefined) return null;
  const { position, metadata } = last;
  return { state: events.slice(0, index + 1).reduce(evolve, initial), position, occurredAt: metadata.occurredAt };
};

/** Converts an event of a catalogue to one for the store. */
export const newEvent = (
  event: DomainEvent,
  catalogue: EventCatalogue,
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
