import { type RowgraphEvent } from '../domain/events';
import { processStream } from '../domain/kernel/process';
import { type ProcessCommand } from '../domain/processes';

/** An event before it is recorded. */
export interface LifeEvent {
  readonly id: string;
  readonly at: number;
  readonly stream: string;
  readonly event: RowgraphEvent;
  readonly actor: string;
  readonly role: string;
  /** The request that it belongs to, and the event or request that it follows from. */
  readonly request: string;
  readonly cause: string;
}

export type By = Pick<LifeEvent, 'actor' | 'role' | 'request'>;
const by = (actor: string, role: string, request: string): By => ({ actor, role, request });

/** Records events one after the other, at growing times. */
export class LifeRecorder {
  readonly events: LifeEvent[] = [];
  private readonly lengths = new Map<string, number>();

  constructor(
    private at: number,
    readonly newId: (at: number) => string,
  ) {}

  pass(seconds: number): void {
    this.at += seconds * 1000;
  }

  request(actor: string, role: string): By {
    return by(actor, role, this.newId(this.at));
  }

  add(stream: string, event: RowgraphEvent, caller: By, cause = caller.request): LifeEvent {
    this.at += 3;
    const added = { id: this.newId(this.at), at: this.at, stream, event, ...caller, cause };
    this.events.push(added);
    this.lengths.set(stream, this.lengthOf(stream) + 1);
    return added;
  }

  lengthOf(stream: string): number {
    return this.lengths.get(stream) ?? 0;
  }
}

/** A process that gets events, sets and clears a timer, and queues commands. */
export const processOf = (recorder: LifeRecorder, name: string, id: number) => {
  const stream = processStream(name, String(id));
  return (input: LifeEvent, timer: 'set' | 'cleared', commands: readonly Queued[] = []): void => {
    const { type, data } = input.event;
    const caller = by(`system:${name}`, 'system', input.request);
    const received = { inputId: input.id, input: { type, schemaVersion: 1, data } };
    const record = recorder.add(stream, { type: 'ProcessInputReceived', data: received }, caller, input.id);
    const dueAt = new Date(input.at + 600_000).toISOString();
    if (timer === 'set') {
      recorder.add(stream, { type: 'ProcessTimerSet', data: { timerId: 'step', dueAt } }, caller, record.id);
    } else {
      recorder.add(stream, { type: 'ProcessTimerCleared', data: { timerId: 'step' } }, caller, record.id);
    }
    for (const { command, effects } of commands) {
      const queuedRevision = recorder.lengthOf(stream);
      const queued = recorder.add(stream, { type: 'ProcessCommandQueued', data: { command } }, caller, record.id);
      effects(by(`system:${stream}`, 'system', input.request), queued.id);
      recorder.add(stream, { type: 'ProcessCommandDone', data: { queuedRevision } }, caller, queued.id);
    }
  };
};

export interface Queued {
  readonly command: ProcessCommand;
  readonly effects: (caller: By, cause: string) => void;
}
export const NO_EFFECT = (): void => undefined;
