/**
 * The output of a process. Commands are executed at least once, each under its own stable command id; setting a timer
 * again under the same id reschedules it.
 */
export type ProcessOutput<C, T extends string = string> =
  | { readonly kind: 'command'; readonly command: C }
  | { readonly kind: 'set_timer'; readonly timerId: T; readonly dueAt: string }
  | { readonly kind: 'cancel_timer'; readonly timerId: T };

/** Inputs of every process in addition to its correlated events. */
export type ProcessSignal<C, T extends string = string> =
  | { readonly type: 'TimerFired'; readonly data: { readonly timerId: T } }
  | { readonly type: 'CommandSucceeded'; readonly data: { readonly command: C } }
  /** The command was rejected permanently: a retry cannot succeed. */
  | {
      readonly type: 'CommandRefused';
      readonly data: { readonly command: C; readonly code: string; readonly message: string };
    };

/**
 * A saga as pure functions: its state is folded from the recorded inputs, and `decide` returns the outputs for that
 * state and the next input. `processIdOf` returns the id of the process that an event belongs to. `I` is the union of
 * its event types and `T` that of its timers, so that an unhandled one does not compile.
 */
export interface Process<I extends { readonly type: string; readonly data: unknown }, S, C, T extends string = string> {
  /** Prefix of its streams: `process_<name>-<id>`. */
  readonly name: string;
  /** The event types that it handles. */
  readonly listensTo: readonly I['type'][];
  readonly processIdOf: (event: I) => string;
  readonly initial: S;
  readonly decide: (
    state: S,
    input: I | ProcessSignal<C, T>,
    context: { readonly id: string; readonly now: Date },
  ) => readonly ProcessOutput<C, T>[];
  readonly evolve: (state: S, input: I) => S;
}

export const processStream = (name: string, id: string): string => `process_${name}-${id}`;

/** Constructors of the outputs. */
export const queueCommand = <C>(command: C): ProcessOutput<C, never> => ({ kind: 'command', command });
export const setTimer = <T extends string>(timerId: T, now: Date, afterSeconds: number): ProcessOutput<never, T> => ({
  kind: 'set_timer',
  timerId,
  dueAt: new Date(now.getTime() + afterSeconds * 1000).toISOString(),
});
export const cancelTimer = <T extends string>(timerId: T): ProcessOutput<never, T> => ({
  kind: 'cancel_timer',
  timerId,
});
