import { type Either, isLeft, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type DomainError } from '../../domain/kernel/errors';
import { type EventStore } from '../../domain/ports/event-store';
import { processEvents } from '../../domain/processes';
import { loadStream } from '../kit/handle-command';
import { type AnyProcess, foldProcess, initialState, type ProcessState } from './process-state';

/** A process as its stream tells it up to a revision. */
export interface LoadedProcess {
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
export const loadProcess = async (
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
