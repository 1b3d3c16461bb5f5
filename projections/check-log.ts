import { isLeft } from 'fp-ts/Either';
import { comparePositions, type Position, START } from '../domain/kernel/event';
import { type FeedEvent } from '../domain/ports/feed-consumer';
import { type Difference } from './compare-tables';
import { UuidSet } from './uuid-set';

/** Checks the events of the log in its order: each decodes, revisions have no gaps, ids are unique, positions ascend. */
export class LogCheck {
  private readonly revisions = new Map<string, number>();
  private readonly ids = new UuidSet();
  private last: Position = START;
  /** The instances with a slot, and when they got it. */
  readonly slots = new Map<number, string>();
  readonly differences: Difference[] = [];

  see({ stored, readable }: FeedEvent): void {
    const { streamId, revision, id, position } = stored;
    const add = (column: string, expected: unknown, actual: unknown): void =>
      void this.differences.push({
        ...{ kind: 'log', read_model: null, key: `${streamId}@${revision}`, column, expected, actual },
      });
    if (isLeft(readable)) add('data', 'a decodable event', readable.left.message);
    const expected = (this.revisions.get(streamId) ?? -1) + 1;
    if (revision !== expected) add('revision', expected, revision);
    this.revisions.set(streamId, Math.max(revision, expected));
    if (!this.ids.add(id)) add('id', 'a unique id', id);
    if (comparePositions(position, this.last) <= 0) add('position', `after ${this.last}`, position);
    this.last = position;
    if (isLeft(readable)) return;
    const { type, data } = readable.right;
    if (type === 'SlotReserved') this.slots.set(data.instanceId, stored.recordedAt);
    if (type === 'SlotReleased') this.slots.delete(data.instanceId);
  }
}
