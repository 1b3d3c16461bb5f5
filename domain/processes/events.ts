import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';
import { ProcessCommand } from './commands';

/** Events of the processes' own streams. One append holds an input and everything it led to. */
export const processEvents = {
  /**
   * An event reached the process. `inputId` is the event's id: the same event a second time changes nothing. Older ones
   * have its position in the log of that time, a decimal number.
   */
  ProcessInputReceived: eventSpec(
    t.strict({
      inputId: t.string,
      input: t.strict({ type: t.string, schemaVersion: t.number, data: t.unknown }),
    }),
  ),
  ProcessCommandQueued: eventSpec(t.strict({ command: ProcessCommand })),
  /** The command queued at this revision of the stream was executed, or refused for good. */
  ProcessCommandDone: eventSpec(t.strict({ queuedRevision: t.number })),
  ProcessTimerSet: eventSpec(t.strict({ timerId: t.string, dueAt: t.string })),
  /** The timer was cancelled, or has fired. */
  ProcessTimerCleared: eventSpec(t.strict({ timerId: t.string })),
};

export type ProcessEvent = EventsOf<typeof processEvents>;
