import { type Actor } from '../../domain/kernel/decider';
import { type Clock } from '../../domain/ports/clock';
import { type IdGenerator } from '../../domain/ports/id-generator';
import { type LogPorts } from './load-stream';

/** The actor, id and correlation of a command. */
export interface CommandContext {
  readonly actor: Actor;
  /** A command is executed once per id: a repeated one finds its own events and changes nothing. */
  readonly commandId: string;
  readonly correlationId: string;
  /** The id of the event or request that causes the command. */
  readonly causationId: string;
}

/** A step of the write side, for metrics and traces. */
export interface Step {
  readonly kind: 'command' | 'process' | 'process_command';
  /** The type of the command, or the stream of the process. */
  readonly name: string;
  /** Trace context of the causing event; absent: the current span. */
  readonly traceparent?: string | undefined;
}

/** The ports of every command. */
export interface CommandPorts extends LogPorts {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /**
   * Waits for a random time after this number of consecutive conflicts on a stream, to separate competing writers.
   * Absent: retry immediately.
   */
  readonly afterLostRace?: (lost: number) => Promise<void>;
  /** Measures and traces a step. Absent: steps run without measurement. */
  readonly observe?: <A>(step: Step, run: () => Promise<A>) => Promise<A>;
}

/** The context of a part of a command: its id is derived from that of the command. */
export const contextOfPart = (ids: IdGenerator, context: CommandContext, part: string): CommandContext => ({
  ...context,
  commandId: ids.derivedUuid(context.commandId, part),
});

/** What a command belongs to and follows from. */
export type Cause = Pick<CommandContext, 'correlationId' | 'causationId'>;

/** A cause that follows from nothing else: a request of a user, a run of a job by its schedule. */
export const firstCause = (id: string): Cause => ({ correlationId: id, causationId: id });

export const contextOf = (ids: IdGenerator, { username, role }: Actor, cause: Cause): CommandContext => ({
  actor: { username, role },
  commandId: ids.uuid(),
  ...cause,
});

/** The context of one request of a user: all its effects carry the id of the request. */
export const requestContext = (ids: IdGenerator, actor: Actor, requestId: string): CommandContext =>
  contextOf(ids, actor, firstCause(requestId));
