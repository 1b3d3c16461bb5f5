import { type Position } from '../kernel/event';

/** How far named readers of the feed have come. Calls reject when the store is away. */
export interface CheckpointStore {
  /** `START` for a name never seen. */
  load(name: string): Promise<Position>;
  /** Moves on from what was loaded; false when another reader moved meanwhile. */
  advance(name: string, from: Position, to: Position): Promise<boolean>;
}
