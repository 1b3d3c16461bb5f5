import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DuckDBValue } from '@duckdb/node-api';
import { readParquet, sqlName, type DuckdbSession } from '../../duckdb/duckdb-session';
import { type EngineFailure } from '../engine-failure';
import { type NodeWrite } from '../graph-engine';
import { cypherLiteral } from './parameters';
import { PropertyWriter } from './property-writer';
import { type RunningServer } from './running-server';
import { storedExpression } from './storage';

/**
 * Sets one property on the nodes of a label; answers how many it reached. `numbers` is a table of their keys and
 * numbers: finding a node by its number is a hundred times faster than by its key.
 */
export const writeNodes = async (
  server: RunningServer,
  session: DuckdbSession,
  { property, parquetFile }: NodeWrite,
  numbers: string,
): Promise<Either<EngineFailure, number>> => {
  const value = storedExpression(`v.${sqlName('value')}`, property);
  const result = await session.connection.stream(
    `SELECT n.number, ${value} FROM ${readParquet([parquetFile])} AS v JOIN ${numbers} AS n USING (key) ORDER BY n.number`,
  );
  const writer = new PropertyWriter(server, property);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [nodes, values] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++) {
      const text = literal(values.getItem(row));
      if (isLeft(text)) return left({ kind: 'rejected', reason: `A value cannot be written: ${text.left}` });
      const added = await writer.add(Number(nodes.getItem(row)), text.right);
      if (isLeft(added)) return added;
    }
  }
  return writer.end();
};

const literal = (value: DuckDBValue): Either<string, string> =>
  cypherLiteral(typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);
