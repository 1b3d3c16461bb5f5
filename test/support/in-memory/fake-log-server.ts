import {
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  type LogClient,
  type LogPlace,
  type LogRecord,
  type OutgoingRecord,
  type Written,
} from '../../../adapters/eventstoredb/log-client';
import { type ExpectedRevision } from '../../../domain/ports/event-store';

/** The outcome of the next append: it is written or not, and answered with this error or not at all. */
export interface AppendFault {
  readonly isWritten: boolean;
  /** Null: no answer. */
  readonly error: Error | null;
}

/**
 * An EventStoreDB in this process as the adapter sees it: the observed behaviour of a real one, and faults on request.
 */
export class FakeLogServer {
  readonly log: LogRecord[] = [];
  readonly faults: AppendFault[] = [];
  /** The numbers of opened clients, sent appends and read records. */
  readonly counts = { opened: 0, appends: 0, records: 0 };
  /** Like SIGSTOP: no request is answered. */
  isFrozen = false;
  tellsPositions = true;
  /** Repeated appends are not recognised. */
  forgetsIds = false;
  maxAppendBytes = 1024 * 1024;
  private readonly lengths = new Map<string, number>();
  private readonly cuts = new Map<string, number>();
  private readonly tombstones = new Set<string>();
  private readonly listeners = new Set<(place: LogPlace) => void>();
  private readonly openings = new Set<() => void>();
  private readsBeforeFreeze = -1;
  private nextOffset = 1_000n;

  readonly open = (): LogClient => {
    this.counts.opened += 1;
    for (const look of [...this.openings]) look();
    const closing = new AbortController();
    return {
      append: async (name, expected, events) => {
        this.counts.appends += 1;
        const fault = this.faults.shift();
        if (fault?.isWritten !== false && !this.isFrozen) {
          const written = this.append(name, expected, events);
          if (fault === undefined) return written;
        }
        if (fault?.error != null) throw fault.error;
        return untilAborted(closing.signal);
      },
      readStream: (name, { from, direction, maxCount = Infinity }, { signal }) =>
        this.answer(signal, () => {
          const stream = this.visible(name);
          const inOrder =
            direction === 'forwards'
              ? stream.filter(({ revision }) => from === 'start' || (from !== 'end' && revision >= from))
              : stream.filter(({ revision }) => from === 'end' || (from !== 'start' && revision <= from)).reverse();
          return inOrder.slice(0, maxCount);
        }),
      readAll: ({ from, direction, maxCount }, { signal }, take) =>
        this.answer(signal, () => {
          const isIn = ({ place }: LogRecord): boolean => {
            if (place === null || from === 'start' || from === 'end')
              return (from === 'end') === (direction === 'backwards');
            return direction === 'forwards' ? place.commit >= from.commit : place.commit < from.commit;
          };
          const found = this.log.filter(isIn);
          return (direction === 'forwards' ? found : found.reverse()).slice(0, maxCount).map(take);
        }),
      truncateBefore: (name) => this.answer(closing.signal, () => this.cuts.get(name) ?? null),
      listen: async (_prefixes, onEvent, signal) => {
        this.listeners.add(onEvent);
        await untilAborted(AbortSignal.any([signal, closing.signal])).catch(() => undefined);
        this.listeners.delete(onEvent);
      },
      close: () => {
        closing.abort();
        return Promise.resolve();
      },
    };
  };

  /** Resolves when so many clients have been opened. */
  untilOpened(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.counts.opened >= count) resolve();
      };
      this.openings.add(look);
      look();
    });
  }

  /** Stops answering after this many more reads. */
  freezeAfterReads(count: number): void {
    this.readsBeforeFreeze = count;
  }

  /** Sets `$tb`, as `$maxCount` and `$maxAge` do in effect. */
  truncate(name: string, before: number): void {
    this.cuts.set(name, before);
  }

  /** The stream can be written again, from the revision after its last. */
  softDelete(name: string): void {
    this.cuts.set(name, Number.MAX_SAFE_INTEGER);
  }

  tombstone(name: string): void {
    this.tombstones.add(name);
    this.put({ streamId: name, type: '$streamDeleted', revision: 2n ** 63n - 1n });
  }

  /** Writes an event like another system or the server itself; returns its position. */
  put(event: Partial<LogRecord> & Pick<LogRecord, 'streamId' | 'type'>): string {
    const commit = this.nextOffset;
    this.nextOffset += 131n;
    const unseen = {
      id: crypto.randomUUID(),
      isJson: false,
      data: Buffer.from('\xff'),
      metadata: undefined,
      created: new Date(),
    };
    const revision = BigInt(this.lengths.get(event.streamId) ?? 0);
    this.lengths.set(event.streamId, Number(revision) + 1);
    this.log.push({ ...unseen, revision, place: { commit, prepare: commit }, ...event });
    for (const hear of this.listeners) hear({ commit, prepare: commit });
    return String(commit);
  }

  private append(name: string, expected: ExpectedRevision, events: readonly OutgoingRecord[]): Written {
    if (this.tombstones.has(name)) throw StreamDeletedError.fromStreamName(name);
    const bytes = events.reduce(
      (sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length,
      0,
    );
    if (bytes > this.maxAppendBytes) throw MaxAppendSizeExceededError.fromMaxAppendSize(this.maxAppendBytes);
    const stream = this.log.filter(({ streamId }) => streamId === name);
    const current = stream.length - 1;
    const before = expected === 'no_stream' ? -1 : expected;
    const isDeleted = this.cuts.get(name) === Number.MAX_SAFE_INTEGER;
    const isNext = before === current || (isDeleted && expected === 'no_stream');
    if (
      !isNext &&
      (before > current || this.forgetsIds || !events.every(({ id }, n) => stream[before + 1 + n]?.id === id))
    ) {
      const actual = {
        streamName: name,
        current: current < 0 ? 'no_stream' : BigInt(current),
        expected: BigInt(before),
      } as const;
      throw new WrongExpectedVersionError(undefined, actual);
    }
    if (isNext) this.write(name, current, events);
    const last = this.log.find(({ streamId, id }) => streamId === name && id === events.at(-1)?.id);
    return { revision: Number(last?.revision), place: this.tellsPositions ? (last?.place ?? null) : null };
  }

  private write(name: string, current: number, events: readonly OutgoingRecord[]): void {
    if (this.cuts.get(name) === Number.MAX_SAFE_INTEGER) this.cuts.set(name, current + 1);
    this.put({ streamId: '$stats-127.0.0.1:2113', type: '$statsCollected' });
    for (const [n, { id, type, data, metadata }] of events.entries()) {
      const parse = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString('utf8'));
      this.put({
        streamId: name,
        id,
        type,
        revision: BigInt(current + 1 + n),
        isJson: true,
        data: parse(data),
        metadata: parse(metadata),
      });
    }
    this.put({ streamId: '$ce-mapping', type: '$>', data: `0@${name}` });
  }

  private visible(name: string): readonly LogRecord[] {
    if (this.tombstones.has(name)) throw StreamDeletedError.fromStreamName(name);
    const stream = this.log.filter(({ streamId }) => streamId === name);
    const cut = this.cuts.get(name) ?? 0;
    if (stream.length === 0 || cut >= stream.length) throw new StreamNotFoundError(undefined, name);
    return stream.filter(({ revision }) => revision >= cut);
  }

  private async answer<A>(signal: AbortSignal, read: () => A): Promise<A> {
    if (this.readsBeforeFreeze-- === 0) this.isFrozen = true;
    if (this.isFrozen) return untilAborted(signal);
    const answer = read();
    if (Array.isArray(answer)) this.counts.records += answer.length;
    return answer;
  }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Error('1 CANCELLED: Cancelled on client'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
