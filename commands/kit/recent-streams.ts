import { LRUCache } from 'lru-cache';
import { type NewEvent, type Position } from '../../domain/kernel/event';

/** What the events of a stream up to a revision led to. */
export interface KnownStream<S> {
  readonly state: S;
  /** Of the last event. */
  readonly revision: number;
  readonly position: Position;
  /** When the last event happened, ISO 8601. */
  readonly occurredAt: string;
}

interface Kept {
  readonly aggregate: object;
  readonly known: KnownStream<unknown>;
  /** Of the commands that wrote its events. */
  readonly commandIds: Set<string>;
  /** Of its events as JSON, about as much as the state holds. */
  readonly characters: number;
}

interface AggregateOf<S> {
  readonly decider: { readonly initial: S };
}

const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * The aggregates that commands were last decided on, as an LRU cache: who finds one reads only what came after it, if
 * anything did. What is kept may be behind its stream. It has to be forgotten when an append finds another revision
 * than a read did.
 */
export class RecentStreams {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters,
  });

  /** Undefined also where the command has written already: its events have to be read. */
  find<S>(aggregate: AggregateOf<S>, streamId: string, commandId = ''): KnownStream<S> | undefined {
    const kept = this.kept.get(streamId);
    if (kept?.aggregate !== aggregate || kept.commandIds.has(commandId)) return undefined;
    // `keep` took the state from the same aggregate.
    return kept.known as KnownStream<S>;
  }

  /** Keeps what the events lead to that follow on those kept so far, or are all there are. */
  keep<S>(
    aggregate: AggregateOf<S>,
    streamId: string,
    known: KnownStream<S>,
    events: readonly Pick<NewEvent, 'metadata' | 'data'>[],
  ): void {
    const kept = this.kept.get(streamId);
    // Evicted while the rest was read: the ids of the commands before are unknown.
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
