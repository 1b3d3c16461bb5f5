import { type DuckdbSession, readParquet, sqlName, sqlString } from '../duckdb/duckdb-session';
import { type GraphSource } from './algorithm-job';
import { numberedTable } from './read-graph';

/** Returns the key of a node, as shown in results. */
export type KeyOf = (node: number) => string;

/**
 * Keys as shown in results: the primary key as text, with the label as prefix (`Label:key`) if nodes of several labels
 * share a key. Whole numbers remain numbers, because fetching a million texts is slow. `numbers`: the nodes to read;
 * null: all.
 */
export const readKeys = async (
  session: DuckdbSession,
  { nodes }: GraphSource,
  nodeCount: number,
  numbers: readonly number[] | null = null,
): Promise<KeyOf> => {
  if (numbers?.length === 0) return String;
  const isWhole = numbers === null && (await haveIntegerKeys(session, nodes));
  const [key, size] = [isWhole ? 'key::DOUBLE' : 'key::VARCHAR', numbers === null ? nodeCount : 0];
  const keys = isWhole ? new Float64Array(size) : new Array<string>(size);
  const prefixes = new Array<string | undefined>(size);
  const chosen = numbers === null ? '' : `WHERE number IN (SELECT unnest([${numbers.join()}]::UINTEGER[]))`;
  let first = 0;
  for (const [place, { label, rowCount }] of nodes.entries()) {
    const [start, end] = [first, first + rowCount];
    first = end;
    const others = [...nodes.keys()].filter((other) => other !== place);
    const sameKeys = others.map((other) => `SELECT ${key} FROM ${numberedTable(other)}`).join(' UNION ALL ');
    const isShared = sameKeys === '' ? 'false' : `${key} IN (${sameKeys})`;
    const rows = `SELECT number, ${key}, ${isShared} FROM ${numberedTable(place)} ${chosen}`;
    const chosenCount = new Set(numbers?.filter((number) => number >= start && number < end)).size;
    for await (const chunk of session.chunks(rows, numbers === null ? rowCount : chosenCount)) {
      const [texts, areShared] = [chunk.getColumnValues(1), chunk.getColumnValues(2)];
      for (const [row, number] of chunk.getColumnValues(0).entries()) {
        if (isWhole) keys[Number(number)] = Number(texts[row]);
        else keys[Number(number)] = String(texts[row]);
        if (areShared[row] === true) prefixes[Number(number)] = label;
      }
    }
  }
  return (node) => (prefixes[node] === undefined ? String(keys[node]) : `${prefixes[node]}:${keys[node]}`);
};

/** Whether every key is an integer that JavaScript represents exactly. */
const haveIntegerKeys = async (session: DuckdbSession, nodes: GraphSource['nodes']): Promise<boolean> => {
  for (const place of nodes.keys()) {
    const [row] = await session.rows(
      `SELECT bool_and(typeof(key) IN ('BIGINT', 'INTEGER', 'SMALLINT', 'TINYINT') AND abs(TRY_CAST(key AS DOUBLE)) <= ${Number.MAX_SAFE_INTEGER}) AS whole FROM ${numberedTable(place)}`,
    );
    if (row?.['whole'] === false) return false;
  }
  return true;
};

/** The numbers of the nodes in a request, by a unique key or by `Label:key`. */
export const findNodes = async (
  session: DuckdbSession,
  { nodes }: GraphSource,
  named: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>();
  const names = `(SELECT DISTINCT unnest([${named.map(sqlString).join()}]::VARCHAR[]) AS name)`;
  // The plain key is handled last, so it takes precedence over `Label:key`: it may contain a colon.
  for (const labelOf of [(label: string) => `${label}:`, () => '']) {
    const keys = nodes.map(
      ({ label }, place) => `SELECT ${sqlString(labelOf(label))} || key AS name, number FROM ${numberedTable(place)}`,
    );
    const rows = await session.rows(
      `SELECT name, any_value(number) AS number FROM ${names} JOIN (${keys.join(' UNION ALL ')}) USING (name) ` +
        'GROUP BY name HAVING count(*) = 1',
    );
    for (const { name, number } of rows) found.set(String(name), Number(number));
  }
  return found;
};

/** The labels whose nodes have the key; if there are several, a request must use `Label:key`. */
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
