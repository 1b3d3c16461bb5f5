import { type Position } from '../kernel/event';

/** Positions of the named readers of the feed. Calls reject when the store is unavailable. */
export interface CheckpointStore {
  /** `START` for an unknown name. */
  load(name: string): Promise<Position>;
  /** Advances from the loaded position; false when another reader advanced it meanwhile. */
  advance(name: string, from: Position, to: Position): Promise<boolean>;
}
