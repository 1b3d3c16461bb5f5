import { type Either } from 'fp-ts/Either';
import { type DomainEvent } from './event';

/** Facts a command is decided with that are not in the stream. */
export interface DecisionContext {
  /** Time of the decision. */
  readonly now: Date;
  readonly actor: Actor;
}

/** Who asks. `system` actors are the processes and jobs of rowgraph itself. */
export interface Actor {
  readonly username: string;
  readonly role: Role;
}

export type Role = 'analyst' | 'admin' | 'ops' | 'system';

/**
 * The write side of one aggregate as three pure functions. `decide` answers a command with events or a refusal and
 * changes nothing; an empty list of events means "already so". `evolve` never refuses: the events happened.
 */
export interface Decider<C, E extends DomainEvent, S, R> {
  readonly initial: S;
  readonly decide: (command: C, state: S, context: DecisionContext) => Either<R, readonly E[]>;
  readonly evolve: (state: S, event: E) => S;
}

/** Folds a history to the state it leads to. */
export const fold = <E extends DomainEvent, S>(
  decider: { readonly initial: S; readonly evolve: (state: S, event: E) => S },
  events: readonly E[],
): S => events.reduce(decider.evolve, decider.initial);
