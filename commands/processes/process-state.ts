import { isLeft } from 'fp-ts/Either';
import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import { allEvents } from '../../domain/events';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { decodeEventData, unreadable } from '../../domain/kernel/event-catalogue';
import { type Process, type ProcessOutput } from '../../domain/kernel/process';
import {
  instanceStartup,
  type ProcessCommand,
  type ProcessEvent,
  processEvents,
  snapshotExport,
} from '../../domain/processes';
import { type Folder } from '../kit/load-stream';

/** An event as the input of a process. */
export interface ProcessInput {
  readonly type: string;
  readonly data: unknown;
}

/**
 * A process whose inputs are found at run time by event type. The catalogue has decoded each under its own type name,
 * and `listensTo` selects only the process's own inputs. Only timers that it has set fire.
 */
export interface AnyProcess extends Process<ProcessInput, unknown, ProcessCommand> {
  /** Folds the stream of the process. */
  readonly memory: Folder<ProcessEvent, ProcessState>;
}

const erase = <I extends ProcessInput, S, T extends string>(typed: Process<I, S, ProcessCommand, T>): AnyProcess => {
  const process = typed as unknown as Process<ProcessInput, unknown, ProcessCommand>;
  const evolve = (state: ProcessState, event: StoredEvent<ProcessEvent>) => evolveProcess(process, state, event);
  return {
    ...process,
    memory: { decider: { initial: { ...EMPTY, state: process.initial }, evolve }, catalogue: processEvents },
  };
};

/** The state folded from a process's stream, in persistent collections: a change copies one branch only. */
export interface ProcessState {
  readonly state: unknown;
  readonly inputIds: ImmutableSet<string>;
  /** Running timers: id to the event that set them. */
  readonly timers: ImmutableMap<string, { readonly setRevision: number; readonly eventId: string }>;
  /** Queued commands that are not completed, by the revision that queued them. */
  readonly openCommands: ImmutableMap<number, { readonly command: ProcessCommand; readonly eventId: string }>;
  /** The correlation id of the last event. */
  readonly correlationId: string | null;
  /** Why the stream cannot be folded; its later events are not. */
  readonly failure: DomainError | null;
}

const EMPTY: ProcessState = {
  state: null,
  inputIds: ImmutableSet(),
  timers: ImmutableMap(),
  openCommands: ImmutableMap(),
  correlationId: null,
  failure: null,
};

const evolveProcess = (
  process: Process<ProcessInput, unknown, ProcessCommand>,
  before: ProcessState,
  event: StoredEvent<ProcessEvent>,
): ProcessState => {
  if (before.failure !== null) return before;
  const { id: eventId, revision, metadata } = event;
  const after = { ...before, correlationId: metadata.correlationId };
  const { timers, openCommands } = before;
  switch (event.type) {
    case 'ProcessInputReceived':
      return receiveInput(process, after, event);
    case 'ProcessTimerSet':
      return { ...after, timers: timers.set(event.data.timerId, { setRevision: revision, eventId }) };
    case 'ProcessTimerCleared':
      return { ...after, timers: timers.delete(event.data.timerId) };
    case 'ProcessCommandQueued':
      return { ...after, openCommands: openCommands.set(revision, { command: event.data.command, eventId }) };
    case 'ProcessCommandDone':
      return { ...after, openCommands: openCommands.delete(event.data.queuedRevision) };
  }
};

const receiveInput = (
  process: Process<ProcessInput, unknown, ProcessCommand>,
  before: ProcessState,
  { data, streamId, revision }: StoredEvent<Extract<ProcessEvent, { type: 'ProcessInputReceived' }>>,
): ProcessState => {
  const input = decodeEventData(allEvents, data.input, `in ${streamId}@${revision}`);
  if (isLeft(input)) return { ...before, failure: unreadable(input.left) };
  const inputIds = before.inputIds.add(data.inputId);
  try {
    return { ...before, inputIds, state: process.evolve(before.state, input.right) };
  } catch (error) {
    // A bug in one process must not stop the others.
    const message = `${process.name} failed at ${streamId}: ${String(error)}`;
    return { ...before, failure: domainError('INTERNAL_ERROR', message) };
  }
};

/** Whether the process has already received an event. */
export const hasReceived = ({ inputIds }: ProcessState, { id }: StoredEvent): boolean => inputIds.has(id);

/** The events that record the outputs of a process; timers that are not set are not cleared. */
export const outputEvents = (
  outputs: readonly ProcessOutput<ProcessCommand>[],
  timers: ProcessState['timers'],
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

export const allProcesses: readonly AnyProcess[] = [erase(instanceStartup), erase(snapshotExport)];
