import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type QueryConfig } from 'pg';

const names = new LRUCache<string, string>({ max: 1000 });

/**
 * A statement that each connection parses and plans once, under a name made of its text: for those that run again and
 * again and find their rows by a key however large the tables have become.
 */
export const prepared = (text: string, values: readonly unknown[]): QueryConfig => {
  const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return { name, text, values: [...values] };
};
