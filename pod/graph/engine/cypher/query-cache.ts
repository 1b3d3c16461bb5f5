import { LRUCache } from 'lru-cache';

const MAX_TEXTS = 500;
/** Of all texts together; a tree and what is made of it take some 200 bytes per character. */
const MAX_CHARACTERS = 250_000;

/** Calls `make` once for each text, and keeps the results for the texts used last. */
export const createQueryCache = <Q extends object>(make: (text: string) => Q): ((text: string) => Q) => {
  const cache = new LRUCache<string, Q>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: make,
  });
  return (text) => cache.memo(text);
};
