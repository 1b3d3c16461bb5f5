import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AggregateTypes, type Decider, type DecisionContext, fold, type Role } from '../../domain/kernel/decider';
import { type ErrorCode } from '../../domain/kernel/errors';
import { type Process, type ProcessOutput, type ProcessSignal } from '../../domain/kernel/process';

/** The time in tests of pure code. */
export const NOON = new Date('2026-03-01T12:00:00.000Z');

/** The context of a decision on aggregate 7 but for its time. */
export const by = (username: string, role: Role = 'analyst'): Omit<DecisionContext, 'now'> => ({
  actor: { username, role },
  id: '7',
});

/** `given(decider, ...history).when(command)` and then one of `happens`, `changesNothing`, `isRefused`. */
export const given = <T extends AggregateTypes>(decider: Decider<T>, ...history: readonly T['event'][]) => ({
  when: (command: T['command'], context: Partial<DecisionContext> = {}) => {
    const decided = decider.decide(command, fold(decider, history), { now: NOON, ...by('ada'), ...context });
    return {
      happens: (...events: readonly T['event'][]): void => expect(decided).toEqual(right(events)),
      changesNothing: (): void => expect(decided).toEqual(right([])),
      isRefused: (code: ErrorCode, details?: Readonly<Record<string, unknown>>): void =>
        expect(decided).toMatchObject(
          left({ code, message: expect.any(String) as string, ...(details && { details }) }),
        ),
    };
  },
  state: (): T['state'] => fold(decider, history),
});

/** The outputs of a process for one more input, after some inputs. */
export const wants = <I extends { readonly type: string; readonly data: unknown }, S, C, T extends string>(
  process: Process<I, S, C, T>,
  id: string,
  before: readonly I[],
  input: I | ProcessSignal<C, T>,
): readonly ProcessOutput<C, T>[] =>
  process.decide(
    before.reduce<S>((state, earlier) => process.evolve(state, earlier), process.initial),
    input,
    { id, now: NOON },
  );

/** The commands among a process's outputs. */
export const commandsOf = <C>(outputs: readonly ProcessOutput<C>[]): readonly C[] =>
  outputs.flatMap((output) => (output.kind === 'command' ? [output.command] : []));

/** The value of a success; fails the test with the reason of a failure. */
export const expectRight = <E, A>(either: Either<E, A>): A => {
  if (isLeft(either)) throw new Error(`Expected a success, got ${JSON.stringify(either.left)}`);
  return either.right;
};

/** The error of a failure; fails the test on a success. */
export const expectLeft = <E, A>(either: Either<E, A>): E => {
  if (isLeft(either)) return either.left;
  throw new Error(`Expected a failure, got ${JSON.stringify(either.right)}`);
};
