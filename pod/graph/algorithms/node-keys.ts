import { type DuckdbSession, readParquet, sqlName, sqlString, chunksOf } from '../duckdb/duckdb-session';
import { type GraphSource } from './algorithm-job';
import { numberedTable } from './read-graph';

/** A node as results show it. */
export type KeyOf = (node: number) => string;

/**
 * Keys as results show them: the primary key as text, with the label before it (`Label:key`) where nodes of several
 * labels share a key. Whole numbers are kept as numbers: a million texts take long to fetch. `numbers`: of which
 * nodes; null: of all.
 */
export const readKeys = async (
  session: DuckdbSession,
  { nodes }: GraphSource,
  nodeCount: number,
  numbers: readonly number[] | null = null,
): Promise<KeyOf> => {
  if (numbers?.length === 0) return String;
  const isWhole = numbers === null && (await haveWholeKeys(session, nodes));
  const size = numbers === null ? nodeCount : 0;
  const keys = isWhole ? new Float64Array(size) : new Array<string>(size);
  const prefixes = new Array<string | undefined>(size);
  const chosen = numbers === null ? '' : ` SEMI JOIN (SELECT unnest([${numbers.join()}]::UINTEGER[]) AS number) USING (number)`; // prettier-ignore
  const column = isWhole ? 'key::DOUBLE' : 'key::VARCHAR';
  for (const [place, { label }] of nodes.entries()) {
    const table = `${numberedTable(place)}${chosen}`;
    for await (const chunk of chunksOf(await session.connection.stream(`SELECT number, ${column} FROM ${table}`))) {
      const texts = chunk.getColumnValues(1);
      for (const [row, number] of chunk.getColumnValues(0).entries()) {
        if (isWhole) keys[Number(number)] = Number(texts[row]);
        else keys[Number(number)] = String(texts[row]);
      }
    }
    if (nodes.length === 1) continue;
    const shared = await session.connection.stream(sharedNumbers(nodes, place, table, isWhole));
    for await (const chunk of chunksOf(shared)) {
      for (const number of chunk.getColumnValues(0)) prefixes[Number(number)] = label;
    }
  }
  return (node) => (prefixes[node] === undefined ? String(keys[node]) : `${prefixes[node]}:${keys[node]}`);
};

/** Whether every key is a whole number JavaScript holds exactly. */
const haveWholeKeys = async (session: DuckdbSession, nodes: GraphSource['nodes']): Promise<boolean> => {
  for (const place of nodes.keys()) {
    const [row] = await session.rows(
      `SELECT bool_and(typeof(key) IN ('BIGINT', 'INTEGER', 'SMALLINT', 'TINYINT') AND abs(TRY_CAST(key AS DOUBLE)) <= ${Number.MAX_SAFE_INTEGER}) AS whole FROM ${numberedTable(place)}`,
    );
    if (row?.['whole'] === false) return false;
  }
  return true;
};

/** The nodes of one label, `table`, whose keys nodes of others have, too. */
const sharedNumbers = (nodes: GraphSource['nodes'], place: number, table: string, isWhole: boolean): string => {
  const key = isWhole ? 'key::BIGINT' : 'key::VARCHAR';
  const others = [...nodes.keys()]
    .filter((other) => other !== place)
    .map((other) => `SELECT ${key} AS key FROM ${numberedTable(other)}`);
  return `SELECT number FROM (SELECT number, ${key} AS key FROM ${table}) SEMI JOIN (${others.join(' UNION ALL ')}) USING (key)`;
};

/** The number of the node a request means by a key, or by `Label:key`. */
export const findNode = async (
  session: DuckdbSession,
  { nodes }: GraphSource,
  named: string,
): Promise<number | null> => {
  const colon = named.indexOf(':');
  const labelled = nodes.findIndex(({ label }) => `${label}:` === named.slice(0, colon + 1));
  // The key itself goes first: it may have a colon.
  const readings = [...nodes.keys()].map((place) => ({ place, key: named }));
  if (labelled >= 0) readings.push({ place: labelled, key: named.slice(colon + 1) });
  for (const { place, key } of readings) {
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

/** Finds nodes by what a request calls them, where it names many: a key as results show it, or `Label:key`. */
export const createKeyIndex = (
  keyOf: KeyOf,
  nodeCount: number,
  { nodes }: GraphSource,
): ((key: string) => number | null) => {
  const numbers = new Map<string, number>();
  for (let node = 0; node < nodeCount; node++) numbers.set(keyOf(node), node);
  const labels = new Set(nodes.map(({ label }) => label));
  return (key) => {
    const colon = key.indexOf(':');
    const unlabelled = colon > 0 && labels.has(key.slice(0, colon)) ? numbers.get(key.slice(colon + 1)) : undefined;
    return numbers.get(key) ?? unlabelled ?? null;
  };
};
