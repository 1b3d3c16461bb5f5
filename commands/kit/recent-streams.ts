import { LRUCache } from 'lru-cache';
import { type NewEvent, type Position } from '../../domain/kernel/event';

/** The state folded from the events of a stream up to a revision. */
export interface CachedStream<S> {
  readonly state: S;
  /** Revision and position of the last event. */
  readonly revision: number;
  readonly position: Position;
  /** Time of the last event, ISO 8601. */
  readonly occurredAt: string;
}

interface Kept {
  readonly aggregate: object;
  readonly known: CachedStream<unknown>;
  /** Ids of the commands that wrote its events. */
  readonly commandIds: Set<string>;
  /** Size of its events as JSON, an estimate of the size of the state. */
  readonly characters: number;
}

interface AggregateOf<S> {
  readonly decider: { readonly initial: S };
}

const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * An LRU cache of aggregates: after a hit only later events are read. An entry may lag behind its stream. It must be
 * removed when an append reports another revision than a read did.
 */
export class RecentStreams {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters,
  });

  /** Also undefined if the command has already written, since its events must be read. */
  find<S>(aggregate: AggregateOf<S>, streamId: string, commandId = ''): CachedStream<S> | undefined {
    const kept = this.kept.get(streamId);
    if (kept?.aggregate !== aggregate || kept.commandIds.has(commandId)) return undefined;
    // `keep` took the state from the same aggregate.
    return kept.known as CachedStream<S>;
  }

  /** Caches the state after events that continue the entry, or begin the stream. */
  keep<S>(
    aggregate: AggregateOf<S>,
    streamId: string,
    known: CachedStream<S>,
    events: readonly Pick<NewEvent, 'metadata' | 'data'>[],
  ): void {
    const kept = this.kept.get(streamId);
    // The entry was evicted meanwhile, so the ids of earlier commands are unknown.
    if (kept === undefined && events.length <= known.revision) return;
    const commandIds = kept?.commandIds ?? new Set();
    for (const { metadata } of events) commandIds.add(metadata.commandId);
    const characters = (kept?.characters ?? 0) + JSON.stringify(events).length;
    this.kept.set(streamId, { aggregate, known, commandIds, characters });
  }

  forget(streamId: string): void {
    this.kept.delete(streamId);
  }
}
