import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, left, right } from 'fp-ts/Either';
import { instances } from '../../../../commands/kit/aggregates';
import { loadStream } from '../../../../commands/kit/handle-command';
import { instanceStream, mayEnter } from '../../../../domain/instance';
import { domainError, notFound } from '../../../../domain/kernel/errors';
import { type Clock } from '../../../../domain/ports/clock';
import { type EventStore } from '../../../../domain/ports/event-store';
import { type JournalEntry, type ProgressJournal } from '../../../../domain/ports/progress-journal';
import { listExportSteps } from '../../../../queries/instance-steps';
import { findInstance, type FoundInstance } from '../../../../queries/instances';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { findUser } from '../../../../queries/users';
import { findGuardedInstance, type Viewer } from '../../../../queries/visible-instances';
import { InstanceProgress } from '../../../../queries/views/instance-progress';
import { type EventStream, type HandlerResult } from '../../kit';
import { progressView } from './progress-view';

export interface ProgressStreamDependencies {
  readonly db: ReadDatabase;
  readonly clock: Clock;
  readonly journal: ProgressJournal;
  readonly store: EventStore;
}

type Reading = Pick<ProgressStreamDependencies, 'db' | 'clock'>;

/** How often a watched instance is looked at. */
const LOOK_MS = 250;
/** So long after the last client left its states go on being recorded, so that it finds them when it comes back. */
const LINGER_MS = 300_000;
const PAGE = 100;

const FINAL: ReadonlySet<string> = new Set(['running', 'failed', 'deleted']);

interface Watch {
  clients: number;
  leftAt: number;
  /** Resolves when the instance has been looked at the next time. */
  next: Promise<unknown>;
}

/** How far an instance is; null when there is none that the viewer may see. Without a viewer all are seen. */
export const readProgress = async (
  deps: Reading,
  instanceId: number,
  viewer?: Viewer,
): Promise<InstanceProgress | null> => {
  const instance = await findInstance(deps.db, instanceId, null, viewer);
  return instance && progressOf(deps, instance);
};

/** One that runs is past its export. */
export const progressOf = async ({ db, clock }: Reading, instance: FoundInstance): Promise<InstanceProgress> => {
  const exportSteps = instance.status === 'running' ? [] : await listExportSteps(db, instance.id);
  return progressView(instance, exportSteps, clock.now());
};

/**
 * The progress of instances as streams. Every state a client is shown is first written to the journal, whose numbers
 * are the events' ids: all clients see the same states, and one that comes back with the last id it saw goes on there.
 */
// eslint-disable-next-line max-lines-per-function -- The streams share the watches of instances.
export const progressStreams = (deps: ProgressStreamDependencies) => {
  const { journal } = deps;
  const watches = new Map<number, Watch>();

  const look = async (instanceId: number): Promise<JournalEntry | null> => {
    const view = await readProgress(deps, instanceId);
    if (view !== null) await journal.record(instanceId, view);
    const last = await journal.last(instanceId);
    if (view !== null || last === null || statusOf(last) === 'deleted') return last;
    await journal.record(instanceId, { id: instanceId, status: 'deleted', phase: 'deleted', started_at: null });
    return journal.last(instanceId);
  };

  const watch = (instanceId: number): Watch => {
    const known = watches.get(instanceId);
    if (known !== undefined) return known;
    const started: Watch = { clients: 0, leftAt: Date.now(), next: Promise.resolve() };
    watches.set(instanceId, started);
    const go = async (): Promise<void> => {
      while (started.clients > 0 || Date.now() - started.leftAt < LINGER_MS) {
        // A store that is away is told to the clients by their own reads.
        started.next = sleep(LOOK_MS, undefined, { ref: false }).then(() => look(instanceId).catch(() => undefined));
        const last = await started.next;
        if (started.clients === 0 && isEntry(last) && isFinal(last)) break;
      }
      watches.delete(instanceId);
    };
    void go();
    return started;
  };

  /** Whether the instance is there, and not for this user any more, whose role may have changed as well. */
  const isClosedTo = async (instanceId: number, username: string): Promise<boolean> => {
    const instance = await findGuardedInstance(deps.db, { id: instanceId });
    if (instance === null) return false;
    const user = await findUser(deps.db, username);
    return user === null || !mayEnter(instance, user);
  };

  const eventsAfter = (instanceId: number, { username }: Viewer, seq: number): EventStream =>
    async function* (signal) {
      const watched = watch(instanceId);
      watched.clients += 1;
      const gone = aborted(signal);
      try {
        let seen = seq;
        while (!signal.aborted) {
          const entries = await journal.after(instanceId, seen, PAGE);
          if (await isClosedTo(instanceId, username)) return;
          for (const [index, entry] of entries.entries()) {
            const isLast = index === entries.length - 1 && entries.length < PAGE && isFinal(entry);
            yield { id: String(entry.seq), event: isLast ? 'done' : 'progress', data: entry.view };
            seen = entry.seq;
            if (isLast) return;
          }
          if (entries.length === 0) await Promise.race([watched.next, gone]);
        }
      } finally {
        watched.clients -= 1;
        watched.leftAt = Date.now();
      }
    };

  /** A reply with the events after `lastEventId`; without a known one from the present state on. */
  return async (
    instanceId: number,
    viewer: Viewer,
    lastEventId: string | undefined,
  ): HandlerResult<InstanceProgress, 'RESOURCE_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'> => {
    // The log knows who might enter a deleted instance, too.
    const loaded = await loadStream(deps.store, instances, instanceStream(instanceId));
    if (isLeft(loaded)) return loaded;
    const { state } = loaded.right;
    const last = state !== null && mayEnter(state, viewer) ? await look(instanceId) : null;
    if (last === null) return left(notFound('instance', instanceId));
    const body = InstanceProgress.decode(last.view);
    if (isLeft(body)) return left(domainError('INTERNAL_ERROR', `The journal of instance ${instanceId} is damaged.`));
    const given = /^[1-9]\d{0,14}$/.test(lastEventId ?? '') ? Number(lastEventId) : null;
    const isKnown = given !== null && given <= last.seq;
    if (!isKnown && statusOf(last) === 'deleted') return left(notFound('instance', instanceId));
    if (given === last.seq && isFinal(last)) return right({ body: body.right, events: 'ended' });
    return right({ body: body.right, events: eventsAfter(instanceId, viewer, isKnown ? given : last.seq - 1) });
  };
};

const isEntry = (value: unknown): value is JournalEntry => typeof value === 'object' && value !== null;

const statusOf = ({ view }: JournalEntry): string =>
  typeof view === 'object' && view !== null && 'status' in view ? String(view.status) : '';

const isFinal = (entry: JournalEntry): boolean => FINAL.has(statusOf(entry));

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
