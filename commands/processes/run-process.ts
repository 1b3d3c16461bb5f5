import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { type ProcessSignal, processStream } from '../../domain/kernel/process';
import { type DueCommand, type DueTimer } from '../../domain/ports/process-work';
import { type ProcessCommand, type ProcessEvent, processEvents } from '../../domain/processes';
import { appendDecided } from '../kit/append-decided';
import { type CommandPorts } from '../kit/command-context';
import { type Done, newEvent } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { allProcesses, hasReceived, outputEvents, type ProcessInput, type ProcessState } from './process-state';

/** An input of a process, and the event that records it in the stream of the process. */
interface Recognised {
  readonly record: ProcessEvent;
  /** The id of the event that it follows from. */
  readonly causationId: string;
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
      return { record: { type: 'ProcessInputReceived', data: received }, causationId: inputId, input };
    });
  return ports.observe?.({ kind: 'process', name: streamId, traceparent }, run) ?? run();
};

/** Fires a due timer, unless it was cancelled or set again meanwhile. */
export const processTimer = (ports: CommandPorts, { streamId, timerId, setRevision }: DueTimer): Done<void> =>
  advance(ports, streamId, null, ({ timers }) => {
    const timer = timers.get(timerId);
    if (timer?.setRevision !== setRevision) return null;
    return {
      record: { type: 'ProcessTimerCleared', data: { timerId } },
      causationId: timer.eventId,
      input: { type: 'TimerFired', data: { timerId } },
    };
  });

/** Records the outcome of a queued command and delivers it to the process. */
export const processCommandOutcome = (
  ports: CommandPorts,
  { streamId, queuedRevision }: DueCommand,
  outcome: Either<DomainError, unknown>,
): Done<void> =>
  advance(ports, streamId, null, (current) => {
    const queued = current.openCommands.get(queuedRevision);
    if (queued === undefined) return null;
    const { command, eventId: causationId } = queued;
    return {
      record: { type: 'ProcessCommandDone', data: { queuedRevision } },
      causationId,
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
    const loaded = await loadStream(ports, process.memory, streamId);
    if (isLeft(loaded)) return loaded;
    const { state: current, revision } = loaded.right;
    if (current.failure !== null) return left(current.failure);
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
      correlationId: correlationId ?? current.correlationId ?? commandId,
    };
    const toStore = (event: ProcessEvent, causationId: string) =>
      newEvent(event, processEvents, ports.ids.uuid(), { ...context, causationId }, now);
    const record = toStore(recognised.record, recognised.causationId);
    const events = outputEvents(outputs.right, current.timers).map((event) => toStore(event, record.id));
    return right({ revision, events: [record, ...events], result: () => undefined });
  });
};
