import { LRUCache } from 'lru-cache';
import { type CatchUp } from '../../../projections/catch-up';
import { type Projection } from '../../../projections/projection';

/** Maximum age of cached rows, for changes without a notification such as the retry of a parked event. */
const KEPT_MS = 1000;

/** Caches rows of a read model until it has applied another event. Missing rows are not cached. */
export const untilReadModelChanges = <T extends object>(
  { versionOf }: Pick<CatchUp, 'versionOf'>,
  readModel: Projection,
  find: (key: string) => Promise<T | null>,
): typeof find => {
  const cache = new LRUCache<string, { readonly found: T; readonly at: number }>({ max: 1000, ttl: KEPT_MS });
  return async (key) => {
    const at = versionOf(readModel.name);
    const known = cache.get(key);
    if (known?.at === at) return known.found;
    const found = await find(key);
    if (found !== null) cache.set(key, { found, at });
    return found;
  };
};
