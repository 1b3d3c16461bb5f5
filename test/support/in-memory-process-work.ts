import { isLeft } from 'fp-ts/Either';
import { type Position, START } from '../../domain/kernel/event';
import { decodeEvent } from '../../domain/kernel/event-catalogue';
import { type Clock } from '../../domain/ports/clock';
import { type EventStore } from '../../domain/ports/event-store';
import { type DueCommand, type ProcessWork } from '../../domain/ports/process-work';
import { processEvents } from '../../domain/processes';
import { expectRight } from './given-when-then';

interface OpenCommand {
  due: DueCommand;
  dueAt: number;
  leaseUntil: number;
  failure: string | null;
}
interface OpenTimer {
  readonly streamId: string;
  readonly timerId: string;
  readonly setRevision: number;
  readonly dueAt: number;
  attempt: number;
  retryAt: number;
}

/** The work of the processes, folded from the log at each request. */
export const createInMemoryProcessWork = (
  store: EventStore,
  clock: Clock,
): ProcessWork & {
  /** Every timer that runs, due or not. */
  timers(): Promise<readonly OpenTimer[]>;
  /** The number of unfinished commands. */
  openCommands(): Promise<number>;
} => {
  const commands = new Map<string, OpenCommand>();
  const timers = new Map<string, OpenTimer>();
  let position: Position = START;
  let leases = 0;

  const held = ({ streamId, queuedRevision, lease }: DueCommand): OpenCommand | undefined => {
    const command = commands.get(`${streamId}:${queuedRevision}`);
    return command?.due.lease === lease ? command : undefined;
  };
  const refresh = async (): Promise<void> => {
    const page = expectRight(await store.readAll(position, 1_000_000, { types: Object.keys(processEvents) }));
    for (const stored of page.events) {
      const decoded = decodeEvent(processEvents, stored);
      if (isLeft(decoded)) throw new Error(decoded.left.message);
      const event = decoded.right;
      const { streamId, revision } = event;
      if (event.type === 'ProcessCommandQueued') {
        const { correlationId } = event.metadata;
        const queued = { streamId, queuedRevision: revision, command: event.data.command };
        const due = { ...queued, eventId: event.id, attempt: 0, correlationId, lease: '' };
        commands.set(`${streamId}:${revision}`, { due, dueAt: 0, leaseUntil: 0, failure: null });
      }
      if (event.type === 'ProcessCommandDone') commands.delete(`${streamId}:${event.data.queuedRevision}`);
      if (event.type === 'ProcessTimerSet') {
        const { timerId, dueAt } = event.data;
        timers.set(`${streamId}:${timerId}`, {
          ...{ streamId, timerId, setRevision: revision },
          ...{ dueAt: Date.parse(dueAt), attempt: 0, retryAt: 0 },
        });
      }
      if (event.type === 'ProcessTimerCleared') timers.delete(`${streamId}:${event.data.timerId}`);
    }
    position = page.position;
  };

  return {
    takeDueCommands: async (limit, leaseSeconds) => {
      await refresh();
      const now = clock.now();
      const due = [...commands.values()].filter(
        ({ dueAt, leaseUntil }) => dueAt <= now.getTime() && leaseUntil <= now.getTime(),
      );
      return due.slice(0, limit).map((command) => {
        command.leaseUntil = now.getTime() + leaseSeconds * 1000;
        command.due = { ...command.due, lease: String(++leases) };
        return command.due;
      });
    },
    renewCommand: (due, leaseSeconds) => {
      const command = held(due);
      if (command === undefined) return Promise.resolve(null);
      command.leaseUntil = clock.now().getTime() + leaseSeconds * 1000;
      return Promise.resolve(due);
    },
    retryCommand: async (due, delayMs, failure) => {
      await refresh();
      const command = held(due);
      if (command === undefined) return;
      command.due = { ...command.due, attempt: command.due.attempt + 1 };
      command.dueAt = clock.now().getTime() + delayMs;
      command.leaseUntil = 0;
      command.failure = failure;
    },
    failureOf: async (streamId, type) => {
      await refresh();
      const open = [...commands.values()].filter(({ due }) => due.streamId === streamId && due.command.type === type);
      return open.at(-1)?.failure ?? null;
    },
    takeDueTimers: async (limit) => {
      await refresh();
      const now = clock.now().getTime();
      const due = [...timers.values()].filter(({ dueAt, retryAt }) => dueAt <= now && retryAt <= now).slice(0, limit);
      for (const timer of due) timer.retryAt = now + Math.min(5_000 * 2 ** timer.attempt++, 300_000);
      return due;
    },
    stuckCommands: async () => {
      await refresh();
      return [...commands.values()]
        .filter(({ due }) => due.attempt >= 10)
        .map(({ due }) => ({ streamId: due.streamId, type: due.command.type, attempts: due.attempt }));
    },
    timers: async () => {
      await refresh();
      return [...timers.values()];
    },
    openCommands: async () => {
      await refresh();
      return commands.size;
    },
  };
};
