import { LRUCache } from 'lru-cache';
import { type Position } from '../../../domain/kernel/event';
import { type CatchUp } from '../../../projections/catch-up';

/** What moves no checkpoint here, such as the retry of a parked event, shows after this time at the latest. */
const KEPT_MS = 1000;

/** Keeps what was found in a read model until the read models have taken in another event. What is not there is looked for again. */
export const untilCheckpointMoves = <T extends object>(
  { position }: Pick<CatchUp, 'position'>,
  find: (key: string) => Promise<T | null>,
): typeof find => {
  const cache = new LRUCache<string, { readonly found: T; readonly at: Position }>({ max: 1000, ttl: KEPT_MS });
  return async (key) => {
    const at = position();
    const known = cache.get(key);
    if (known?.at === at) return known.found;
    const found = await find(key);
    if (found !== null) cache.set(key, { found, at });
    return found;
  };
};
