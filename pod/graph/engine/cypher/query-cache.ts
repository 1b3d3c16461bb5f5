import { LRUCache } from 'lru-cache';

const MAX_TEXTS = 500;
/** Limit of all texts together; a tree and derived data need some 200 bytes per character. */
const MAX_CHARACTERS = 250_000;

/** Calls `make` once for each text, and caches the results for the most recently used texts. */
export const createQueryCache = <Q extends object>(make: (text: string) => Q): ((text: string) => Q) => {
  const cache = new LRUCache<string, Q>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: make,
  });
  return (text) => cache.memo(text);
};
