import * as t from 'io-ts';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';
import { ProcessCommand } from './commands';

/** Events of the processes' own streams. One append contains an input and all its outputs. */
export const processEvents = {
  /**
   * An event was delivered to the process. `inputId` is the id of the event; a second delivery is ignored.
   */
  ProcessInputReceived: eventSpec(
    t.strict({
      inputId: t.string,
      input: t.strict({ type: t.string, schemaVersion: t.number, data: t.unknown }),
    }),
  ),
  ProcessCommandQueued: eventSpec(t.strict({ command: ProcessCommand })),
  /** The command queued at this revision of the stream was executed, or permanently rejected. */
  ProcessCommandDone: eventSpec(t.strict({ queuedRevision: t.number })),
  ProcessTimerSet: eventSpec(t.strict({ timerId: t.string, dueAt: t.string })),
  /** The timer was cancelled, or has fired. */
  ProcessTimerCleared: eventSpec(t.strict({ timerId: t.string })),
};

export type ProcessEvent = EventsOf<typeof processEvents>;
