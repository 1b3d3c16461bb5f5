import { type DuckdbSession, sqlString } from '../duckdb/duckdb-session';
import { type GraphSource } from './algorithm-job';
import { numberedTable } from './read-graph';

/**
 * Keys as results show them, by node number: the primary key as text, with the label before it (`Label:key`) where
 * nodes of several labels share a key.
 */
export const readKeys = async (session: DuckdbSession, { nodes }: GraphSource): Promise<string[]> => {
  const tables = nodes.map(
    ({ label }, place) =>
      `SELECT number, key::VARCHAR AS key, ${sqlString(label)} AS label FROM ${numberedTable(place)}`,
  );
  const shown =
    nodes.length === 1 ? 'key' : `CASE WHEN count(*) OVER (PARTITION BY key) > 1 THEN label || ':' || key ELSE key END`;
  const keys: string[] = [];
  if (nodes.length === 0) return keys;
  const result = await session.connection.stream(
    `SELECT ${shown} FROM (${tables.join(' UNION ALL ')}) ORDER BY number`,
  );
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const value of chunk.getColumnValues(0)) keys.push(String(value));
  }
  return keys;
};

/** Finds nodes by what a request calls them: a key as results show it, or `Label:key`. */
export const createKeyIndex = (keys: readonly string[], { nodes }: GraphSource): ((key: string) => number | null) => {
  const numbers = new Map(keys.map((key, number) => [key, number]));
  const labels = new Set(nodes.map(({ label }) => label));
  return (key) => {
    const colon = key.indexOf(':');
    const unlabelled = colon > 0 && labels.has(key.slice(0, colon)) ? numbers.get(key.slice(colon + 1)) : undefined;
    return numbers.get(key) ?? unlabelled ?? null;
  };
};
