import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { processStream, type ProcessSignal } from '../../domain/kernel/process';
import { type EventStore } from '../../domain/ports/event-store';
import { type DueCommand, type DueTimer } from '../../domain/ports/process-work';
import { type ProcessCommand, type ProcessEvent, processEvents } from '../../domain/processes';
import { type CommandPorts } from '../kit/command-context';
import { appendDecided } from '../kit/append-decided';
import { loadStream, newEvent } from '../kit/handle-command';
import {
  allProcesses,
  type AnyProcess,
  foldProcess,
  hasReceived,
  initialState,
  outputEvents,
  type ProcessInput,
  type ProcessState,
} from './process-state';

/** How a queued command ended. */
export type CommandOutcome =
  { readonly kind: 'succeeded' } | { readonly kind: 'refused'; readonly code: string; readonly message: string };

/** An event as the input of one process. */
export interface ProcessInputFor {
  /** Of the process. */
  readonly streamId: string;
  readonly process: AnyProcess;
  readonly id: string;
  readonly input: ProcessInput;
}

/** The processes an event of the feed concerns. */
export const processesFor = ({ type, data }: ProcessInput): readonly ProcessInputFor[] => {
  const input = { type, data };
  const listening = allProcesses.filter(({ listensTo }) => listensTo.includes(type));
  return listening.flatMap((process) => {
    const id = process.processIdOf(input);
    return id === null ? [] : [{ streamId: processStream(process.name, id), process, id, input }];
  });
};

/** Gives an event to one process. The same event a second time changes nothing. */
export const takeInput = (
  ports: CommandPorts,
  { process, id, streamId, input }: ProcessInputFor,
  stored: StoredEvent,
): Promise<Either<DomainError, void>> =>
  advance(ports, process, streamId, stored.metadata.correlationId, (current) => {
    if (hasReceived(current, stored)) return null;
    const { id: inputId, type, data, schemaVersion } = stored;
    const received: ProcessEvent = {
      type: 'ProcessInputReceived',
      data: { inputId, input: { type, schemaVersion, data } },
    };
    const outputs = process.decide(current.state, input, { id, now: ports.clock.now() });
    return [received, ...outputEvents(outputs, current.timers)];
  });

/** Lets a due timer fire, unless it was cancelled or set again meanwhile. */
export const processTimer = (ports: CommandPorts, timer: DueTimer): Promise<Either<DomainError, void>> =>
  processSignal(ports, timer.streamId, (current) => {
    if (current.timers.get(timer.timerId) !== timer.setRevision) return null;
    const { timerId } = timer;
    return {
      record: { type: 'ProcessTimerCleared', data: { timerId } },
      signal: { type: 'TimerFired', data: { timerId } },
    };
  });

/** Records how a queued command ended and lets the process answer to it. */
export const processCommandOutcome = (
  ports: CommandPorts,
  due: DueCommand,
  outcome: CommandOutcome,
): Promise<Either<DomainError, void>> =>
  processSignal(ports, due.streamId, (current) => {
    const command = current.openCommands.get(due.queuedRevision);
    if (command === undefined) return null;
    return {
      record: { type: 'ProcessCommandDone', data: { queuedRevision: due.queuedRevision } },
      signal:
        outcome.kind === 'succeeded'
          ? { type: 'CommandSucceeded', data: { command } }
          : { type: 'CommandRefused', data: { command, code: outcome.code, message: outcome.message } },
    };
  });

const processSignal = async (
  ports: CommandPorts,
  streamId: string,
  recognise: (
    current: ProcessState,
  ) => { readonly record: ProcessEvent; readonly signal: ProcessSignal<ProcessCommand> } | null,
): Promise<Either<DomainError, void>> => {
  const process = allProcesses.find(({ name }) => streamId.startsWith(processStream(name, '')));
  if (process === undefined) return left(domainError('INTERNAL_ERROR', `No process owns the stream ${streamId}.`));
  const id = streamId.slice(processStream(process.name, '').length);
  return advance(ports, process, streamId, null, (current) => {
    const recognised = recognise(current);
    if (recognised === null) return null;
    const outputs = process.decide(current.state, recognised.signal, { id, now: ports.clock.now() });
    return [recognised.record, ...outputEvents(outputs, current.timers)];
  });
};

/** Appends what `decide` returns for the current state; null: nothing to do. */
const advance = async (
  ports: CommandPorts,
  process: AnyProcess,
  streamId: string,
  correlationId: string | null,
  decide: (current: ProcessState) => readonly ProcessEvent[] | null,
): Promise<Either<DomainError, void>> => {
  return appendDecided<undefined, DomainError>(ports, streamId, async () => {
    const loaded = await loadProcess(ports.store, process, streamId);
    if (isLeft(loaded)) return loaded;
    const { current, revision, correlationId: correlatedBefore } = loaded.right;
    const decided = decideOn(process, streamId, () => decide(current));
    if (isLeft(decided)) return decided;
    const commandId = ports.ids.uuid();
    const context = {
      actor: { username: `system:${process.name}`, role: 'system' as const },
      commandId,
      correlationId: correlationId ?? correlatedBefore ?? commandId,
      causationId: commandId,
    };
    const now = ports.clock.now();
    const events = (decided.right ?? []).map((event) => newEvent(event, processEvents, ports.ids.uuid(), context, now));
    return right({ revision: revision ?? -1, events, result: () => undefined });
  });
};

/** A bug in one process must not stop the others, so it is a failure like any other. */
const decideOn = <A>({ name }: AnyProcess, streamId: string, decide: () => A): Either<DomainError, A> => {
  try {
    return right(decide());
  } catch (error) {
    return left(domainError('INTERNAL_ERROR', `${name} failed at ${streamId}: ${String(error)}`));
  }
};

/** The state of a process up to a revision of its stream. */
interface LoadedProcess {
  readonly current: ProcessState;
  /** Null for an empty stream. */
  readonly revision: number | null;
  /** Of the last event. */
  readonly correlationId: string | null;
}

/** The processes that advanced last, by stream. */
const caches = new WeakMap<EventStore, LRUCache<string, LoadedProcess>>();
const MAX_CACHED = 500;

/**
 * Reads what is new of a process. A process is advanced once per input and its stream grows with each, so reading all
 * of it every time would cost the square of their number; what was read before is cached, and never changes.
 */
const loadProcess = async (
  store: EventStore,
  process: AnyProcess,
  streamId: string,
): Promise<Either<DomainError, LoadedProcess>> => {
  const cache = caches.get(store) ?? new LRUCache<string, LoadedProcess>({ max: MAX_CACHED });
  caches.set(store, cache);
  const known = cache.get(streamId) ?? { current: initialState(process), revision: null, correlationId: null };
  const loaded = await loadStream(store, PROCESS_EVENTS, streamId, { state: null, revision: known.revision ?? -1 });
  if (isLeft(loaded)) return loaded;
  const { events } = loaded.right;
  const last = events.at(-1);
  if (last === undefined) return right(known);
  const current = foldProcess(process, known.current, events);
  if (isLeft(current)) return current;
  const { revision, metadata } = last;
  const now = { current: current.right, revision, correlationId: metadata.correlationId };
  cache.set(streamId, now);
  return right(now);
};

/** The process's own fold needs revisions and decoded inputs, so the generic one is not used. */
const PROCESS_EVENTS = { decider: { initial: null, evolve: (): null => null }, catalogue: processEvents };
