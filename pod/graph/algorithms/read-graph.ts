import { DuckDBDoubleVector, DuckDBUIntegerVector, type DuckDBVector } from '@duckdb/node-api';
import { type DuckdbSession, readParquet, sqlName } from '../duckdb/duckdb-session';
import { type GraphSource } from './algorithm-job';
import { buildCompactGraph, type CompactGraph } from './graph/compact-graph';

/** Name of the table with the columns `key` and `number` of a label. */
export const numberedTable = (place: number): string => `numbered_${place}`;

/**
 * Numbers the nodes, label by label in the order of their keys, and reads the edges between them. Edges without a
 * weight have the weight 1. The numbers stay in tables of the session for reading and writing keys.
 */
export const readGraph = async (session: DuckdbSession, source: GraphSource): Promise<CompactGraph> => {
  let nodeCount = 0;
  for (const [place, { files, keyColumn, rowCount }] of source.nodes.entries()) {
    await session.run(
      `CREATE TABLE ${numberedTable(place)} AS SELECT key, (row_number() OVER () - 1 + ${nodeCount})::UINTEGER AS number ` +
        `FROM (SELECT ${sqlName(keyColumn)} AS key FROM ${readParquet(files)} ORDER BY key)`,
    );
    nodeCount += rowCount;
  }
  const weighted = source.edges.some(({ weightColumn }) => weightColumn !== null);
  const total = source.edges.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const [from, to] = [new Uint32Array(total), new Uint32Array(total)];
  const weights = weighted ? new Float64Array(total) : null;
  let filled = 0;
  for (const edges of source.edges) {
    const weight = edges.weightColumn === null ? '1' : `coalesce(e.${sqlName(edges.weightColumn)}, 1)`;
    const rows =
      `SELECT a.number, b.number${weighted ? `, (${weight})::DOUBLE` : ''} FROM ${readParquet(edges.files)} AS e ` +
      `JOIN ${numberedTable(edges.from)} AS a ON a.key = e.${sqlName(edges.fromColumn)} ` +
      `JOIN ${numberedTable(edges.to)} AS b ON b.key = e.${sqlName(edges.toColumn)}`;
    for await (const chunk of session.chunks(rows, edges.rowCount)) {
      copyNumbers(chunk.getColumnVector(0), chunk.rowCount, from, filled);
      copyNumbers(chunk.getColumnVector(1), chunk.rowCount, to, filled);
      if (weights !== null) copyNumbers(chunk.getColumnVector(2), chunk.rowCount, weights, filled);
      filled += chunk.rowCount;
    }
  }
  const { directed, parallel } = source;
  return buildCompactGraph({ nodeCount, directed, from, to, weights }, parallel);
};

/** Copies a column without nulls; in one call if the vector exposes its memory. */
const copyNumbers = (vector: DuckDBVector, rowCount: number, into: Uint32Array | Float64Array, start: number): void => {
  if (!(vector instanceof DuckDBUIntegerVector) && !(vector instanceof DuckDBDoubleVector)) {
    throw new Error('Expected a column of unsigned integers or doubles.');
  }
  const items: unknown = Reflect.get(vector, 'items');
  if (items instanceof Uint32Array || items instanceof Float64Array) into.set(items.subarray(0, rowCount), start);
  else for (let row = 0; row < rowCount; row++) into[start + row] = vector.getItem(row) ?? 0;
};
