import { DuckDBUIntegerVector } from '@duckdb/node-api';
import { readParquet, sqlName, type DuckdbSession } from '../loading/duckdb-session';
import { type AlgorithmJob } from './algorithm-job';
import { buildCompactGraph, type CompactGraph } from './compact-graph';

/** Numbers the nodes into the table `numbered(key, number)` and reads the edges between them, without weights. */
export const readGraph = async (session: DuckdbSession, { nodes, edges }: AlgorithmJob): Promise<CompactGraph> => {
  const key = sqlName(nodes.keyColumn);
  await session.run(
    `CREATE TABLE numbered AS SELECT ${key} AS key, (row_number() OVER () - 1)::UINTEGER AS number FROM ${readParquet(nodes.files)}`,
  );
  const nodeCount = await count(session, 'numbered');
  const selects = edges.map(
    ({ files, fromColumn, toColumn }) =>
      `SELECT a.number AS source, b.number AS target FROM ${readParquet(files)} AS e ` +
      `JOIN numbered AS a ON a.key = e.${sqlName(fromColumn)} JOIN numbered AS b ON b.key = e.${sqlName(toColumn)}`,
  );
  const none = 'SELECT 0::UINTEGER AS source, 0::UINTEGER AS target WHERE false';
  await session.run(`CREATE TABLE joined AS ${selects.length === 0 ? none : selects.join(' UNION ALL ')}`);
  const edgeCount = await count(session, 'joined');
  const from = new Uint32Array(edgeCount);
  const to = new Uint32Array(edgeCount);
  let filled = 0;
  const result = await session.connection.stream('SELECT source, target FROM joined');
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    copyNumbers(chunk.getColumnVector(0), chunk.rowCount, from, filled);
    copyNumbers(chunk.getColumnVector(1), chunk.rowCount, to, filled);
    filled += chunk.rowCount;
  }
  await session.run('DROP TABLE joined');
  return buildCompactGraph({ nodeCount, from, to, weights: null });
};

const count = async (session: DuckdbSession, table: string): Promise<number> => {
  const [row] = await session.rows(`SELECT count(*) AS c FROM ${table}`);
  return Number(row?.['c'] ?? 0);
};

const copyNumbers = (vector: unknown, rowCount: number, into: Uint32Array, start: number): void => {
  if (!(vector instanceof DuckDBUIntegerVector)) throw new Error('Expected a column of unsigned integers.');
  for (let row = 0; row < rowCount; row++) into[start + row] = vector.getItem(row) ?? 0;
};
