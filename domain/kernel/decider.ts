import { type Either, type Left, left, type Right } from 'fp-ts/Either';
import { type DomainError, notFound } from './errors';
import { type DomainEvent } from './event';

/** Facts a command is decided with that are not in the stream. */
export interface DecisionContext {
  /** Time of the decision. */
  readonly now: Date;
  readonly actor: Actor;
  /** Of the aggregate, as its stream is named: 7 for `mapping-7`. */
  readonly id: string;
}

/** Who asks. `system` actors are the processes and jobs of rowgraph itself. */
export interface Actor {
  readonly username: string;
  readonly role: Role;
}

export type Role = 'analyst' | 'admin' | 'ops' | 'system';

export interface Command {
  readonly type: string;
}
type Decision<E extends DomainEvent = DomainEvent> = Either<DomainError, readonly E[]>;

/**
 * The write side of one aggregate as three pure functions. `decide` answers a command with events or a refusal and
 * changes nothing; an empty list of events means "already so". `evolve` never refuses: the events happened. `R` has
 * the refusals of each command by its type.
 */
export interface Decider<C extends Command, E extends DomainEvent, S, R extends Record<C['type'], DomainError>> {
  readonly initial: S;
  readonly decide: <X extends C>(command: X, state: S, context: DecisionContext) => Either<R[X['type']], readonly E[]>;
  readonly evolve: (state: S, event: E) => S;
}

/** A function for each command by its type. */
type Decisions<C extends Command, E extends DomainEvent, S> = {
  readonly [K in C['type']]: (command: C & { readonly type: K }, state: S, context: DecisionContext) => Decision<E>;
};

type RefusalsOf<T> = {
  [K in keyof T]: T[K] extends (...args: never) => infer D ? Extract<LeftOf<D>, DomainError> : never;
};
type LeftOf<D> = D extends Left<infer R> ? R : never;

/** A decider with one function per command. What a command can be refused with is inferred from its function. */
export const deciderOf =
  <C extends Command, E extends DomainEvent, S>() =>
  <T extends Decisions<C, E, S>>(parts: {
    readonly initial: S;
    readonly decide: T;
    readonly evolve: (state: S, event: E) => S;
  }): Decider<C, E, S, RefusalsOf<T>> => ({
    ...parts,
    decide: (command, state, context) => {
      const decide = parts.decide[command.type as C['type']];
      // The types of the table pair each command with its function.
      return decide(command, state, context) as never;
    },
  });

/** Lets a command through; no event: it is so already. Unlike `right` it says nothing of refusals, so they are inferred. */
export const accept = <E>(events: readonly E[]): Right<readonly E[]> => ({ _tag: 'Right', right: events });

/** Refuses a command on what does not exist, and leaves the rest to `decide`. */
export const existing =
  <S>(resource: string) =>
  <C, D extends Decision>(decide: (command: C, state: S, context: DecisionContext) => D) =>
  (command: C, state: S | null, context: DecisionContext): D | Either<DomainError<'RESOURCE_NOT_FOUND'>, never> =>
    state === null ? left(notFound(resource, Number(context.id))) : decide(command, state, context);

/** Folds a history to the state it leads to. */
export const fold = <E extends DomainEvent, S>(
  decider: { readonly initial: S; readonly evolve: (state: S, event: E) => S },
  events: readonly E[],
): S => events.reduce(decider.evolve, decider.initial);
