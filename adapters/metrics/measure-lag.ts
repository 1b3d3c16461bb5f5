import { isLeft } from 'fp-ts/Either';
import { comparePositions, type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { withPatience } from '../system/patience';

/** A scrape does not wait longer for the log. */
const PATIENCE_MS = 2_000;

/**
 * By name of a reader, the age in seconds of the oldest event it has not passed; 0 for one that has passed them all. Null
 * when the log cannot be read.
 */
export const measureLag = (
  store: Pick<EventStore, 'head' | 'readAll'>,
  positions: Readonly<Record<string, Position>>,
  now: Date,
): Promise<Readonly<Record<string, number>> | null> =>
  withPatience(PATIENCE_MS, async () => {
    const head = await store.head();
    if (isLeft(head)) return null;
    const ages = new Map<Position, number>([[head.right, 0]]);
    for (const position of new Set(Object.values(positions))) {
      if (comparePositions(position, head.right) >= 0) ages.set(position, 0);
      else {
        const next = await store.readAll(position, 1);
        if (isLeft(next)) return null;
        const [oldest] = next.right.events;
        ages.set(
          position,
          oldest === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(oldest.recordedAt)) / 1000,
        );
      }
    }
    return Object.fromEntries(Object.entries(positions).map(([name, position]) => [name, ages.get(position) ?? 0]));
  });
