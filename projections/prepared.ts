import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type QueryConfig } from 'pg';

const names = new LRUCache<string, string>({ max: 1000 });

/**
 * A prepared statement, named by a hash of its text, that each connection parses and plans once: for frequent
 * statements that find their rows by key, so that the plan stays good as tables grow.
 */
export const prepared = (text: string, values: readonly unknown[]): QueryConfig => {
  const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return { name, text, values: [...values] };
};
