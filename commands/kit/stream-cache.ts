import { LRUCache } from 'lru-cache';
import { type NewEvent, type Position, START } from '../../domain/kernel/event';

/** The state folded from the events of a stream. */
export interface LoadedStream<S> {
  readonly state: S;
  /** The revision of the last event; -1 for an empty stream. */
  readonly revision: number;
  /** The position of the last event; START for an empty stream. */
  readonly position: Position;
  /** Time of the last event, ISO 8601; null for an empty stream. */
  readonly occurredAt: string | null;
  /** Ids of the commands that wrote its events, shared with its later states; null if they are too many to keep. */
  readonly commandIds: Set<string> | null;
  /** Size of its events as JSON, an estimate of the size of the state. */
  readonly characters: number;
}

const MAX_CHARACTERS = 32 * 1024 * 1024;
/** The state of a longer stream is not larger: without a bound, a stream that grows for years would not be cached. */
const MAX_CHARACTERS_EACH = MAX_CHARACTERS / 16;
const MAX_COMMANDS = 100_000;

export const emptyStream = <S>(state: S): LoadedStream<S> => ({
  ...{ state, revision: -1, position: START, occurredAt: null },
  ...{ commandIds: new Set<string>(), characters: 1 },
});

/** The stream after its next events, which fold to `state`; `last` places the last of them. */
export const streamAfter = <S>(
  { commandIds, characters }: LoadedStream<unknown>,
  state: S,
  events: readonly Pick<NewEvent, 'metadata' | 'data'>[],
  { revision, position }: Pick<LoadedStream<S>, 'revision' | 'position'>,
): LoadedStream<S> => {
  for (const { metadata } of events) commandIds?.add(metadata.commandId);
  return {
    ...{ state, revision, position },
    occurredAt: events.at(-1)?.metadata.occurredAt ?? null,
    commandIds: commandIds !== null && commandIds.size > MAX_COMMANDS ? null : commandIds,
    characters: characters + JSON.stringify(events).length,
  };
};

/**
 * The most recently loaded streams. An entry may lag behind its stream; the append of a command that was decided on it
 * fails then. It must be removed when an append reports another revision than a read did.
 */
export class StreamCache {
  private readonly loaded = new LRUCache<string, LoadedStream<unknown>>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => Math.min(characters, MAX_CHARACTERS_EACH),
  });
  private readonly folders = new Map<object, number>();

  find<S>(folder: { readonly decider: { readonly initial: S } }, streamId: string): LoadedStream<S> | undefined {
    // `keep` got the state from the same folder.
    return this.loaded.get(this.keyOf(folder, streamId)) as LoadedStream<S> | undefined;
  }

  keep(folder: object, streamId: string, stream: LoadedStream<unknown>): void {
    const key = this.keyOf(folder, streamId);
    // A slow reader does not replace a later state.
    if ((this.loaded.get(key)?.revision ?? -1) < stream.revision) this.loaded.set(key, stream);
  }

  forget(folder: object, streamId: string): void {
    this.loaded.delete(this.keyOf(folder, streamId));
  }

  /** Each way of folding a stream has its own entry. */
  private keyOf(folder: object, streamId: string): string {
    const number = this.folders.get(folder) ?? this.folders.size;
    this.folders.set(folder, number);
    return `${number} ${streamId}`;
  }
}
