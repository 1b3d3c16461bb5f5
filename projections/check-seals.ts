import { isLeft } from 'fp-ts/Either';
import { comparePositions, type Position, START, type StoredEvent } from '../domain/kernel/event';
import { decodeEvent } from '../domain/kernel/event-catalogue';
import { type EventStore, readFailed } from '../domain/ports/event-store';
import {
  addToRange,
  emptyRange,
  type LogSealed,
  NO_HASH,
  sealEvents,
  sealOf,
  SEALS_STREAM,
  type Sha256,
} from '../domain/seals';
import { type Difference } from './compare-tables';

/** The seals of a log, as a verification shows them. */
export interface SealState {
  readonly count: number;
  /** The newest seal, to be stored elsewhere. */
  readonly last: { readonly number: number; readonly hash: string; readonly sealed_at: string } | null;
  /** Position of the first event, except seals, after the last sealed one; null without such events. */
  readonly unsealed_from: Position | null;
}

type Seal = Pick<StoredEvent, 'position' | 'revision' | 'metadata'> & { readonly data: LogSealed };

/** Seals to hold in memory at once. */
const PAGE = 1_000;

/**
 * Checks the seals of a log while its events pass by in order. A seal ends at the event with its `lastEventId`; where
 * that event is missing, the next seal ends the range. After a difference the check continues from the hash of the seal.
 */
export class SealCheck {
  /** The seals ahead, by the id of their last event, in order. */
  private ahead = new Map<string, Seal>();
  private isAtEnd = false;
  private revision = -1;
  private range = emptyRange(NO_HASH);
  private unsealedFrom: Position | null = null;
  private last: Seal | null = null;
  private hasExpected = false;
  private position: Position = START;
  private count = 0;
  private readonly differences: Difference[] = [];

  /** @param expected The hash of a seal that is stored elsewhere; null: none. */
  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    private readonly sha256: Sha256,
    private readonly expected: string | null,
  ) {}

  async see(event: StoredEvent): Promise<void> {
    if (this.ahead.size === 0 && !this.isAtEnd) await this.readSeals();
    this.position = event.position;
    this.range = addToRange(this.sha256, this.range, event);
    if (event.type !== 'LogSealed') this.unsealedFrom ??= event.position;
    if (this.ahead.has(event.id)) this.endRange(event.id);
  }

  /** The result, after the last event. */
  end(): { readonly differences: readonly Difference[]; readonly seals: SealState } {
    for (const [id, seal] of this.ahead) {
      // Later seals were written during the check.
      if (comparePositions(seal.position, this.position) <= 0) this.miss(id, seal);
    }
    const { count, last, expected } = this;
    if (expected !== null && !this.hasExpected) this.add(null, 'hash', expected, last?.data.hash ?? null);
    return {
      differences: this.differences,
      seals: {
        count,
        last: last && { number: last.revision + 1, hash: last.data.hash, sealed_at: last.metadata.occurredAt },
        unsealed_from: this.unsealedFrom,
      },
    };
  }

  private endRange(lastEventId: string): void {
    let isWhole = true;
    for (const [id, seal] of this.ahead) {
      this.ahead.delete(id);
      if (id !== lastEventId) {
        this.miss(id, seal);
        isWhole = false;
        continue;
      }
      if (isWhole) this.compare(seal);
      this.pass(seal);
      break;
    }
    this.unsealedFrom = null;
  }

  private compare(seal: Seal): void {
    const actual = sealOf({ ...this.range, hasChanges: true });
    const before = this.differences.length;
    for (const [column, value] of Object.entries(seal.data)) {
      const found = actual?.[column as keyof LogSealed];
      if (found !== value) this.add(seal.revision, column, value, found);
    }
    if (seal.data.hash === this.expected && this.differences.length === before) this.hasExpected = true;
  }

  private miss(id: string, seal: Seal): void {
    this.add(seal.revision, 'lastEventId', id, null);
    this.pass(seal);
  }

  private pass(seal: Seal): void {
    this.count += 1;
    this.last = seal;
    this.range = emptyRange(seal.data.hash);
  }

  private add(revision: number | null, column: string, expected: unknown, actual: unknown): void {
    const key = revision === null ? null : `${SEALS_STREAM}@${revision}`;
    this.differences.push({ kind: 'seal', read_model: null, key, column, expected, actual });
  }

  private async readSeals(): Promise<void> {
    const read = await this.store.readStream(SEALS_STREAM, { fromRevision: this.revision + 1, limit: PAGE });
    if (isLeft(read)) throw new Error(readFailed(read.left).message);
    this.isAtEnd = read.right.length < PAGE;
    for (const stored of read.right) {
      const { position, revision, metadata } = stored;
      this.revision = revision;
      const seal = decodeEvent(sealEvents, stored);
      if (isLeft(seal)) this.add(revision, 'data', 'a seal', seal.left.message);
      else this.ahead.set(seal.right.data.lastEventId, { position, revision, metadata, data: seal.right.data });
    }
  }
}
