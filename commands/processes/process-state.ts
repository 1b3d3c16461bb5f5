import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { allEvents } from '../../domain/events';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { decodeEventData, unreadable } from '../../domain/kernel/event-catalogue';
import { type StoredEvent } from '../../domain/kernel/event';
import { type Process, type ProcessOutput } from '../../domain/kernel/process';
import { instanceStartup, type ProcessCommand, type ProcessEvent, snapshotExport } from '../../domain/processes';

/** An event as the input of a process. */
export interface ProcessInput {
  readonly type: string;
  readonly data: unknown;
}

/**
 * A process whose inputs are found at run time by event type. The catalogue has decoded each under its own type name,
 * and `listensTo` selects only the process's own inputs. Only timers that it has set fire.
 */
export type AnyProcess = Process<ProcessInput, unknown, ProcessCommand>;

const erase = <I extends ProcessInput, S, T extends string>(process: Process<I, S, ProcessCommand, T>): AnyProcess =>
  process as unknown as AnyProcess;

export const allProcesses: readonly AnyProcess[] = [erase(instanceStartup), erase(snapshotExport)];

/** An input that was recorded with its position instead of its id. */
interface OlderInput {
  readonly position: string;
  readonly type: string;
  readonly data: string;
  readonly receivedAt: string;
}

/** The state folded from a process's stream. */
export interface ProcessState {
  readonly state: unknown;
  readonly inputIds: ReadonlySet<string>;
  /** Inputs that were recorded without an id. */
  readonly olderInputs: readonly OlderInput[];
  /** Running timers: id to the revision that set them. */
  readonly timers: ReadonlyMap<string, number>;
  /** Queued commands that are not completed, by the revision that queued them. */
  readonly openCommands: ReadonlyMap<number, ProcessCommand>;
}

/** The initial state of a process. */
export const initialState = (process: AnyProcess): ProcessState => ({
  state: process.initial,
  inputIds: new Set(),
  olderInputs: [],
  timers: new Map(),
  openCommands: new Map(),
});

/** Folds the next events of its stream; does not change the previous state. */
export const foldProcess = (
  process: AnyProcess,
  known: ProcessState,
  events: readonly StoredEvent<ProcessEvent>[],
): Either<DomainError, ProcessState> => {
  let { state } = known;
  const inputIds = new Set(known.inputIds);
  const olderInputs = [...known.olderInputs];
  const timers = new Map(known.timers);
  const openCommands = new Map(known.openCommands);
  for (const event of events) {
    switch (event.type) {
      case 'ProcessInputReceived': {
        if (/^\d+$/.test(event.data.inputId)) olderInputs.push(olderInput(event.data, event.metadata.occurredAt));
        else inputIds.add(event.data.inputId);
        const input = decodeEventData(allEvents, event.data.input, `in ${event.streamId}@${event.revision}`);
        if (isLeft(input)) return left(unreadable(input.left));
        try {
          state = process.evolve(state, input.right);
        } catch (error) {
          // A bug in one process must not stop the others.
          return left(domainError('INTERNAL_ERROR', `${process.name} failed at ${event.streamId}: ${String(error)}`));
        }
        break;
      }
      case 'ProcessTimerSet':
        timers.set(event.data.timerId, event.revision);
        break;
      case 'ProcessTimerCleared':
        timers.delete(event.data.timerId);
        break;
      case 'ProcessCommandQueued':
        openCommands.set(event.revision, event.data.command);
        break;
      case 'ProcessCommandDone':
        openCommands.delete(event.data.queuedRevision);
        break;
    }
  }
  return right({ state, inputIds, olderInputs, timers, openCommands });
};

const olderInput = (
  { inputId, input: { type, data } }: Extract<ProcessEvent, { type: 'ProcessInputReceived' }>['data'],
  receivedAt: string,
): OlderInput => ({ position: inputId, type, data: JSON.stringify(data), receivedAt });

/**
 * Whether the process has already received an event. Positions differ in a copy of the log, so an older input is also
 * recognised by its time.
 */
export const hasReceived = (
  { inputIds, olderInputs }: ProcessState,
  { id, position, type, data, metadata: { occurredAt } }: StoredEvent,
): boolean =>
  inputIds.has(id) ||
  olderInputs.some(
    (older) =>
      older.type === type &&
      (older.position === position || (older.receivedAt >= occurredAt && older.data === JSON.stringify(data))),
  );

/** The events that record the outputs of a process; timers that are not set are not cleared. */
export const outputEvents = (
  outputs: readonly ProcessOutput<ProcessCommand>[],
  timers: ReadonlyMap<string, number>,
): readonly ProcessEvent[] =>
  outputs.flatMap((output): readonly ProcessEvent[] => {
    switch (output.kind) {
      case 'command':
        return [{ type: 'ProcessCommandQueued', data: { command: output.command } }];
      case 'set_timer':
        return [{ type: 'ProcessTimerSet', data: { timerId: output.timerId, dueAt: output.dueAt } }];
      case 'cancel_timer':
        return timers.has(output.timerId) ? [{ type: 'ProcessTimerCleared', data: { timerId: output.timerId } }] : [];
    }
  });
