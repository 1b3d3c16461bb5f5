import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { processStream, type ProcessSignal } from '../../domain/kernel/process';
import { type EventStore } from '../../domain/ports/event-store';
import { type DueCommand, type DueTimer } from '../../domain/ports/process-work';
import { type ProcessCommand, type ProcessEvent, processEvents } from '../../domain/processes';
import { type CommandPorts } from '../kit/command-context';
import { appendDecided } from '../kit/append-decided';
import { type Done, loadEvents, newEvent } from '../kit/handle-command';
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

/** An input of a process, and the event that records it in the stream of the process. */
interface Recognised {
  readonly record: ProcessEvent;
  readonly input: ProcessInput | ProcessSignal<ProcessCommand>;
}

/** The streams of the processes that handle an event of the feed. */
export const processStreamsOf = (event: ProcessInput): readonly string[] =>
  allProcesses
    .filter(({ listensTo }) => listensTo.includes(event.type))
    .map((process) => processStream(process.name, process.processIdOf(event)));

/** Delivers an event to one process; `input` is the decoded event. A repeated delivery is ignored. */
export const handleInput = (
  ports: CommandPorts,
  streamId: string,
  input: ProcessInput,
  stored: StoredEvent,
): Done<void> => {
  const { correlationId, traceparent } = stored.metadata;
  const run = () =>
    advance(ports, streamId, correlationId, (current) => {
      if (hasReceived(current, stored)) return null;
      const { id: inputId, type, data, schemaVersion } = stored;
      const received = { inputId, input: { type, schemaVersion, data } };
      return { record: { type: 'ProcessInputReceived', data: received }, input };
    });
  return ports.observe?.({ kind: 'process', name: streamId, traceparent }, run) ?? run();
};

/** Fires a due timer, unless it was cancelled or set again meanwhile. */
export const processTimer = (ports: CommandPorts, { streamId, timerId, setRevision }: DueTimer): Done<void> =>
  advance(ports, streamId, null, (current) =>
    current.timers.get(timerId) === setRevision
      ? {
          record: { type: 'ProcessTimerCleared', data: { timerId } },
          input: { type: 'TimerFired', data: { timerId } },
        }
      : null,
  );

/** Records the outcome of a queued command and delivers it to the process. */
export const processCommandOutcome = (
  ports: CommandPorts,
  { streamId, queuedRevision }: DueCommand,
  outcome: Either<DomainError, unknown>,
): Done<void> =>
  advance(ports, streamId, null, (current) => {
    const command = current.openCommands.get(queuedRevision);
    if (command === undefined) return null;
    return {
      record: { type: 'ProcessCommandDone', data: { queuedRevision } },
      input: isLeft(outcome)
        ? { type: 'CommandRefused', data: { command, code: outcome.left.code, message: outcome.left.message } }
        : { type: 'CommandSucceeded', data: { command } },
    };
  });

/**
 * Delivers the input that `recognise` derives from the current state to a process, and appends its outputs; null:
 * nothing to do.
 */
const advance = async (
  ports: CommandPorts,
  streamId: string,
  correlationId: string | null,
  recognise: (current: ProcessState) => Recognised | null,
): Done<void> => {
  const process = allProcesses.find(({ name }) => streamId.startsWith(processStream(name, '')));
  if (process === undefined) return left(domainError('INTERNAL_ERROR', `No process owns the stream ${streamId}.`));
  const id = streamId.slice(processStream(process.name, '').length);
  return appendDecided<undefined, DomainError>(ports, streamId, async () => {
    const loaded = await loadProcess(ports.store, process, streamId);
    if (isLeft(loaded)) return loaded;
    const { current, revision, correlationId: correlatedBefore } = loaded.right;
    const recognised = recognise(current);
    if (recognised === null) return right({ revision, events: [], result: () => undefined });
    const now = ports.clock.now();
    // A bug in one process must not stop the others, so an exception is returned as an error.
    const outputs = tryCatch(
      () => process.decide(current.state, recognised.input, { id, now }),
      (error) => domainError('INTERNAL_ERROR', `${process.name} failed at ${streamId}: ${String(error)}`),
    );
    if (isLeft(outputs)) return outputs;
    const commandId = ports.ids.uuid();
    const context = {
      actor: { username: `system:${process.name}`, role: 'system' as const },
      commandId,
      correlationId: correlationId ?? correlatedBefore ?? commandId,
      causationId: commandId,
    };
    const events = [recognised.record, ...outputEvents(outputs.right, current.timers)];
    const stored = events.map((event) => newEvent(event, processEvents, ports.ids.uuid(), context, now));
    return right({ revision, events: stored, result: () => undefined });
  });
};

/** The state of a process up to a revision of its stream. */
interface LoadedProcess {
  readonly current: ProcessState;
  /** -1 for an empty stream. */
  readonly revision: number;
  /** The correlation id of the last event. */
  readonly correlationId: string | null;
}

/** Cache of the most recently advanced processes, by stream. */
const caches = new WeakMap<EventStore, LRUCache<string, LoadedProcess>>();
const MAX_CACHED = 500;

/**
 * Reads the new events of a process. Its stream grows with each input, so a full read per input would be quadratic;
 * earlier events never change and are cached.
 */
const loadProcess = async (store: EventStore, process: AnyProcess, streamId: string): Done<LoadedProcess> => {
  const cache = caches.get(store) ?? new LRUCache<string, LoadedProcess>({ max: MAX_CACHED });
  caches.set(store, cache);
  const known = cache.get(streamId) ?? { current: initialState(process), revision: -1, correlationId: null };
  const loaded = await loadEvents(store, processEvents, streamId, known.revision);
  if (isLeft(loaded)) return loaded;
  const last = loaded.right.at(-1);
  if (last === undefined) return right(known);
  const current = foldProcess(process, known.current, loaded.right);
  if (isLeft(current)) return current;
  const { revision, metadata } = last;
  const now = { current: current.right, revision, correlationId: metadata.correlationId };
  cache.set(streamId, now);
  return right(now);
};
