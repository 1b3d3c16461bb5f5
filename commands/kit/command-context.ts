import { type Actor } from '../../domain/kernel/decider';
import { type Clock } from '../../domain/ports/clock';
import { type EventStore } from '../../domain/ports/event-store';
import { type IdGenerator } from '../../domain/ports/id-generator';
import { type RecentStreams } from './recent-streams';

/** Who gives a command and what it belongs to. */
export interface CommandContext {
  readonly actor: Actor;
  /** A command is executed once per id: a repeated one finds its own events and changes nothing. */
  readonly commandId: string;
  readonly correlationId: string;
  readonly causationId: string;
}

/** A step of the write side, as metrics and traces name it. */
export interface Step {
  readonly kind: 'command' | 'process' | 'process_command';
  /** The type of the command, or the stream of the process. */
  readonly name: string;
  /** Of the event that led here; absent: what is under way. */
  readonly traceparent?: string | undefined;
}

/** What every command needs. */
export interface CommandPorts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /**
   * Waits a moment after so many races for a stream were lost in a row, a random one, so that the same do not meet
   * again. Absent: the next attempt comes at once.
   */
  readonly afterLostRace?: (lost: number) => Promise<void>;
  /** Of this store. Absent: each command reads its stream from the beginning. */
  readonly recent?: RecentStreams;
  /** Runs a step, counts and traces it. Absent: the step just runs. */
  readonly observe?: <A>(step: Step, run: () => Promise<A>) => Promise<A>;
}

/** The context of a part of a command: it has the same id whenever the command is repeated. */
export const contextOfPart = (ids: IdGenerator, context: CommandContext, part: string): CommandContext => ({
  ...context,
  commandId: ids.derivedUuid(context.commandId, part),
});

/** The context of one request of a user: everything it causes carries the request's id. */
export const requestContext = (ids: IdGenerator, { username, role }: Actor, requestId: string): CommandContext => {
  const commandId = ids.uuid();
  return { actor: { username, role }, commandId, correlationId: requestId, causationId: commandId };
};
