import { isLeft, left } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type DueCommand, type DueTimer, type ProcessWork } from '../../domain/ports/process-work';
import { processCommandId } from '../../domain/processes';
import { type LeasePorts } from '../jobs/hold-lease';
import { type CommandContext } from '../kit/command-context';
import { executeProcessCommand, PENDING, type ProcessCommandPorts } from './execute-process-command';
import { processCommandOutcome, processTimer } from './run-process';

export interface ProcessWorkPorts extends ProcessCommandPorts, Pick<LeasePorts, 'pause' | 'onError'> {
  readonly work: ProcessWork;
  /** Resolves when there may be new work, or after a second. */
  readonly nextWork: () => Promise<void>;
}

/** A command whose executor was lost (with its database connection) is executed again after this time. */
const LEASE_SECONDS = 5;
const RENEW_AFTER_MS = 2_000;
const MAX_IN_FLIGHT = 32;
/** Number of timers that are fired together. */
const MAX_TIMERS = 32;
const MAX_RETRY_DELAY_MS = 30_000;

/** Executes the queued commands of the processes and fires their timers. A slow command does not delay the others. */
export const runProcessWork = async (ports: ProcessWorkPorts, signal: AbortSignal): Promise<void> => {
  const inFlight = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    try {
      // Subscribed before the work is loaded, so that notifications in between are not lost.
      const notifications = ports.nextWork();
      await Promise.all((await ports.work.takeDueTimers(MAX_TIMERS)).map((timer) => fireTimer(ports, timer)));
      const free = MAX_IN_FLIGHT - inFlight.size;
      for (const due of free > 0 ? await ports.work.takeDueCommands(free, LEASE_SECONDS) : []) {
        const key = `${due.streamId}@${due.queuedRevision}`;
        // Its lease expired during its execution, and has just been renewed.
        if (inFlight.has(key)) continue;
        inFlight.set(
          key,
          executeDue(ports, due).finally(() => inFlight.delete(key)),
        );
      }
      await notifications;
    } catch (error) {
      ports.onError('the work of the processes', error);
      await ports.pause(1000, signal);
    }
  }
  await Promise.all(inFlight.values());
};

/** A timer that fails must not delay other processes. */
const fireTimer = async (ports: ProcessWorkPorts, timer: DueTimer): Promise<void> => {
  const fired = await processTimer(ports, timer).catch((error: unknown) => left(error));
  if (isLeft(fired)) ports.onError(`firing timer ${timer.timerId} of ${timer.streamId}`, fired.left);
};

/**
 * Executes a leased command, and records its outcome or the time of its retry. After the loss of its lease it makes no
 * further calls, since another executor may have the command.
 */
export const executeDue = (ports: ProcessWorkPorts, due: DueCommand): Promise<void> => {
  const { command, traceparent } = due;
  const run = () => execute(ports, due);
  return ports.observe?.({ kind: 'process_command', name: command.type, traceparent }, run) ?? run();
};

const execute = async (ports: ProcessWorkPorts, due: DueCommand): Promise<void> => {
  const lease = holdLease(ports, due);
  try {
    const commandId = processCommandId(ports.ids, due.streamId, due.queuedRevision);
    const context: CommandContext = {
      actor: { username: `system:${due.streamId}`, role: 'system' },
      commandId,
      correlationId: due.correlationId,
      causationId: due.eventId ?? commandId,
    };
    const result = await executeProcessCommand(whileHeld(ports, lease.lost), due.command, context, lease.lost);
    if (lease.lost.aborted) return ports.onError(`executing ${due.command.type} for ${due.streamId}`, LEASE_LOST);
    if (isLeft(result) && isTemporary(result.left)) {
      ports.onError(`executing ${due.command.type} for ${due.streamId}`, result.left);
      return await retryLater(ports, await lease.end(), retryAfterMs(result.left), result.left.message);
    }
    if (!isLeft(result) && result.right === PENDING)
      return await retryLater(ports, await lease.end(), ORDERED_AGAIN, null);
    const recorded = await processCommandOutcome(ports, due, result);
    if (isLeft(recorded)) {
      ports.onError(`recording the end of ${due.command.type} for ${due.streamId}`, recorded.left);
      await retryLater(ports, await lease.end(), 0, null);
    }
  } catch (error) {
    // The command stays leased and is retried when the lease expires.
    ports.onError(`executing ${due.command.type} for ${due.streamId}`, error);
  } finally {
    void lease.end();
  }
};

/** Renews the lease of a command until `end`, which returns the command with its current lease. */
const holdLease = (ports: ProcessWorkPorts, taken: DueCommand) => {
  const [lost, ended] = [new AbortController(), new AbortController()];
  let held = taken;
  const renewing = (async (): Promise<void> => {
    for (;;) {
      await ports.pause(RENEW_AFTER_MS, ended.signal);
      if (ended.signal.aborted) return;
      const renewed = await ports.work.renewCommand(held, LEASE_SECONDS).catch(() => null);
      if (renewed === null) return lost.abort();
      held = renewed;
    }
  })();
  const end = async (): Promise<DueCommand> => {
    ended.abort();
    await renewing;
    return held;
  };
  return { lost: lost.signal, end };
};

const LEASE_LOST = domainError('SERVICE_UNAVAILABLE', 'The lease of the command was lost; another executor has it.');

/** The ports until the signal aborts; afterwards writes fail. */
const whileHeld = (ports: ProcessWorkPorts, lost: AbortSignal): ProcessWorkPorts => ({
  ...ports,
  store: {
    ...ports.store,
    append: async (...args) =>
      lost.aborted ? left({ kind: 'unavailable', reason: LEASE_LOST.message }) : ports.store.append(...args),
  },
  changeCapacity: async (...args) => (lost.aborted ? left(LEASE_LOST) : ports.changeCapacity(...args)),
});

/** Delay before the first repetition of an order. */
const ORDERED_AGAIN = 1_000;

const retryLater = (
  ports: ProcessWorkPorts,
  due: DueCommand,
  leastMs: number,
  failure: string | null,
): Promise<void> => {
  const delay = Math.min(MAX_RETRY_DELAY_MS, Math.max(250, leastMs) * 2 ** due.attempt);
  return ports.work.retryCommand(due, Math.max(delay, leastMs), failure);
};

/** The delay that the rejecting side requested. */
const retryAfterMs = ({ details }: DomainError): number =>
  details !== undefined && 'retry_after_seconds' in details ? 1000 * Number(details.retry_after_seconds) : 0;

/**
 * An internal error, such as an event that only a newer version can read, is also temporary: it is retried until the
 * upgrade.
 */
const isTemporary = ({ code }: DomainError): boolean =>
  code === 'SERVICE_UNAVAILABLE' || code === 'CONFLICT' || code === 'INTERNAL_ERROR';
