import { type Either, type Left, left, type Right } from 'fp-ts/Either';
import { type DomainError, notFound } from './errors';
import { type DomainEvent } from './event';

/** Inputs of a decision that are not in the stream. */
export interface DecisionContext {
  /** Time of the decision. */
  readonly now: Date;
  readonly actor: Actor;
  /** Id of the aggregate as in the name of its stream: 7 for `mapping-7`. */
  readonly id: string;
}

/** The user or component that sends a command. `system` actors are rowgraph's own processes and jobs. */
export interface Actor {
  readonly username: string;
  readonly role: Role;
}

export type Role = 'analyst' | 'admin' | 'ops' | 'system';

export interface Command {
  readonly type: string;
}
type Decision<E extends DomainEvent = DomainEvent> = Either<DomainError, readonly E[]>;

/** The types of an aggregate: its commands, events and state, and the rejections of each command by its type. */
export interface AggregateTypes {
  readonly command: Command;
  readonly event: DomainEvent;
  readonly state: unknown;
  readonly rejections: Readonly<Record<string, DomainError>>;
}

/**
 * The write side of one aggregate as three pure functions. `decide` returns the events of a command or a rejection,
 * without side effects; an empty list means that the command changes nothing. `evolve` accepts every event, since
 * events are facts.
 */
export interface Decider<T extends AggregateTypes> {
  /** Present in types only; they are inferred from it. */
  readonly types?: T;
  readonly initial: T['state'];
  readonly decide: <X extends T['command']>(
    command: X,
    state: T['state'],
    context: DecisionContext,
  ) => Either<RejectionOf<T, X>, readonly T['event'][]>;
  readonly evolve: (state: T['state'], event: T['event']) => T['state'];
}

/** The rejections of a command. */
export type RejectionOf<T extends AggregateTypes, X extends Command> = T['rejections'][X['type']];

/** A function for each command by its type. */
type Decisions<C extends Command, E extends DomainEvent, S> = {
  readonly [K in C['type']]: (command: C & { readonly type: K }, state: S, context: DecisionContext) => Decision<E>;
};

type RejectionsOf<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never) => infer D ? Extract<LeftOf<D>, DomainError> : never;
};
type LeftOf<D> = D extends Left<infer R> ? R : never;

/** A decider with one function per command. The rejections of a command are inferred from its function. */
export const deciderOf =
  <C extends Command, E extends DomainEvent, S>() =>
  <T extends Decisions<C, E, S>>(parts: {
    readonly initial: S;
    readonly decide: T;
    readonly evolve: (state: S, event: E) => S;
  }): Decider<{ command: C; event: E; state: S; rejections: RejectionsOf<T> }> => ({
    ...parts,
    decide: (command, state, context) => {
      const decide = parts.decide[command.type as C['type']];
      // The types of the table pair each command with its function.
      return decide(command, state, context) as never;
    },
  });

/**
 * Accepts a command; without events it changes nothing. Unlike `right` it leaves the type of the rejections to
 * inference.
 */
export const accept = <E>(events: readonly E[]): Right<readonly E[]> => ({ _tag: 'Right', right: events });

/** Rejects a command on an aggregate that does not exist; otherwise calls `decide`. */
export const existing =
  <S>(resource: string) =>
  <C, D extends Decision>(decide: (command: C, state: S, context: DecisionContext) => D) =>
  (command: C, state: S | null, context: DecisionContext): D | Either<DomainError<'RESOURCE_NOT_FOUND'>, never> =>
    state === null ? left(notFound(resource, Number(context.id))) : decide(command, state, context);

/** Folds a history into the current state. */
export const fold = <E extends DomainEvent, S>(
  decider: { readonly initial: S; readonly evolve: (state: S, event: E) => S },
  events: readonly E[],
): S => events.reduce(decider.evolve, decider.initial);
