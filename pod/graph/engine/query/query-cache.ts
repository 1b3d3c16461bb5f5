import { LRUCache } from 'lru-cache';

const MAX_TEXTS = 500;
/** Of all texts together; their tokens take some 40 bytes per character. */
const MAX_CHARACTERS = 250_000;

/** Makes something of each text once, and keeps it for the texts used last. */
export const createQueryCache = <Q extends object>(make: (text: string) => Q): ((text: string) => Q) => {
  const cache = new LRUCache<string, Q>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: make,
  });
  return (text) => cache.memo(text);
};
