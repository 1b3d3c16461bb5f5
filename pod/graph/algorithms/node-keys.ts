import { type DuckdbSession, readParquet, sqlName, sqlString } from '../duckdb/duckdb-session';
import { type GraphSource } from './algorithm-job';
import { numberedTable } from './read-graph';

const allNodes = (nodes: GraphSource['nodes'], where = ''): string =>
  nodes
    .map(
      ({ label }, place) =>
        `SELECT number, key::VARCHAR AS key, ${sqlString(label)} AS label FROM ${numberedTable(place)}${where}`,
    ) // prettier-ignore
    .join(' UNION ALL ');

/**
 * Keys as results show them: the primary key as text, with the label before it (`Label:key`) where nodes of several
 * labels share a key.
 */
export const readKeys = async (session: DuckdbSession, { nodes }: GraphSource): Promise<string[]> => {
  const keys: string[] = [];
  if (nodes.length === 0) return keys;
  const shown =
    nodes.length === 1
      ? `SELECT number, key FROM (${allNodes(nodes)})`
      : `WITH nodes AS (${allNodes(nodes)}), shared AS (SELECT key FROM nodes GROUP BY key HAVING count(*) > 1) ` +
        `SELECT number, CASE WHEN s.key IS NULL THEN n.key ELSE label || ':' || n.key END FROM nodes AS n LEFT JOIN shared AS s USING (key)`;
  const result = await session.connection.stream(shown);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [numbers, texts] = [chunk.getColumnValues(0), chunk.getColumnValues(1)];
    for (const [row, number] of numbers.entries()) keys[Number(number)] = String(texts[row]);
  }
  return keys;
};

/** The same of some nodes alone. */
export const readKeysOf = async (
  session: DuckdbSession,
  { nodes }: GraphSource,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (numbers.length === 0) return new Map();
  const chosen = `WITH chosen AS (SELECT unnest([${numbers.join()}])::UINTEGER AS number), `;
  const wanted = `wanted AS (SELECT key FROM (${allNodes(nodes)}) SEMI JOIN chosen USING (number)) `;
  const rows = await session.rows(
    `${chosen}${wanted}SELECT number, shown FROM (SELECT number, CASE WHEN count(*) OVER (PARTITION BY key) > 1 THEN label || ':' || key ELSE key END AS shown FROM (${allNodes(nodes)}) ` +
      'SEMI JOIN wanted USING (key)) SEMI JOIN chosen USING (number)',
  );
  return new Map(rows.map(({ number, shown }) => [Number(number), String(shown)]));
};

/** The number of the node a request means by a key, or by `Label:key`. */
export const findNode = async (session: DuckdbSession, source: GraphSource, named: string): Promise<number | null> => {
  for (const { label, key } of readings(source, named)) {
    const place = source.nodes.findIndex((table) => table.label === label);
    const [row] = await session.rows(`SELECT number FROM ${numberedTable(place)} WHERE key::VARCHAR = ${sqlString(key)}`); // prettier-ignore
    if (row !== undefined) return Number(row['number']);
  }
  return null;
};

/** The labels whose nodes have the key; more than one where a request has to say `Label:key`. */
export const labelsWithKey = async (
  session: DuckdbSession,
  { nodes }: GraphSource,
  key: string,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const { label, files, keyColumn } of nodes) {
    const has = `SELECT 1 FROM ${readParquet(files)} WHERE ${sqlName(keyColumn)}::VARCHAR = ${sqlString(key)} LIMIT 1`;
    if ((await session.rows(has)).length > 0) found.push(label);
  }
  return found;
};

/** What a request may mean, the key itself first: it may have a colon. */
const readings = ({ nodes }: GraphSource, named: string) => {
  const colon = named.indexOf(':');
  const [label, key] = [named.slice(0, colon), named.slice(colon + 1)];
  return [
    ...nodes.map((table) => ({ label: table.label, key: named })),
    ...nodes.filter((table) => colon > 0 && table.label === label).map((table) => ({ label: table.label, key })),
  ];
};

/** Finds nodes by what a request calls them, where it names many: a key as results show it, or `Label:key`. */
export const createKeyIndex = (keys: readonly string[], { nodes }: GraphSource): ((key: string) => number | null) => {
  const numbers = new Map(keys.map((key, number) => [key, number]));
  const labels = new Set(nodes.map(({ label }) => label));
  return (key) => {
    const colon = key.indexOf(':');
    const unlabelled = colon > 0 && labels.has(key.slice(0, colon)) ? numbers.get(key.slice(colon + 1)) : undefined;
    return numbers.get(key) ?? unlabelled ?? null;
  };
};
