import { LRUCache } from 'lru-cache';
import { type CatchUp } from '../../../projections/catch-up';
import { type Projection } from '../../../projections/projection';

/** What changes it unnoticed, such as the retry of a parked event, shows after this time at the latest. */
const KEPT_MS = 1000;

/** Keeps what was found in a read model until that has taken in an event. What is not there is looked for again. */
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
