import { type Position, START, type StoredEvent } from '../../domain/kernel/event';

/** Where the events at some positions of a log are in its copy. Holds nothing of the others. */
export const movedPositions = (wanted: readonly Position[]) => {
  const missing = new Set(wanted.filter((position) => position !== START));
  const byOrdinal = new Map<number, Position>();
  const moved = new Map<Position, Position>([[START, START]]);
  return {
    /** The next event of the log that is copied, the `ordinal`-th of all. */
    seeSource: ({ position }: StoredEvent, ordinal: number): void => {
      if (missing.delete(position)) byOrdinal.set(ordinal, position);
    },
    /** The `ordinal`-th event of the copy. */
    seeCopy: ({ position }: StoredEvent, ordinal: number): void => {
      const before = byOrdinal.get(ordinal);
      if (before !== undefined) moved.set(before, position);
    },
    /** From positions of the log to those of the copy, once both have gone by. */
    result: (): ReadonlyMap<Position, Position> => moved,
  };
};
