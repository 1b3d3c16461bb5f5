import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DuckDBValue } from '@duckdb/node-api';
import { readParquet, sqlName, type DuckdbSession } from '../../duckdb/duckdb-session';
import { type EngineFailure } from '../engine-failure';
import { type NodeWrite } from '../graph-engine';
import { type GraphProperty } from '../graph-schema';
import { cypherLiteral } from './parameters';
import { type RunningServer } from './running-server';
import { storageOf, storedExpression } from './storage';

const ROWS_AT_ONCE = 10_000;
/** Parameters cannot be these numbers, so they are sent as text. */
const SPECIAL =
  "CASE row[1] WHEN 'NaN' THEN 0.0 / 0.0 WHEN 'Infinity' THEN 1.0 / 0.0 WHEN '-Infinity' THEN -1.0 / 0.0 ELSE row[1] END";

/** Sets one property on the nodes of a label, some thousand nodes at a time; answers how many it reached. */
export const writeNodes = async (
  server: RunningServer,
  session: DuckdbSession,
  { label, property, parquetFile }: NodeWrite,
  key: GraphProperty,
): Promise<Either<EngineFailure, number>> => {
  const value = storedExpression(sqlName('value'), property);
  const keyValue = storedExpression(sqlName('key'), key);
  const result = await session.connection.stream(`SELECT ${keyValue}, ${value} FROM ${readParquet([parquetFile])}`);
  const statement =
    `UNWIND $rows AS row MATCH (n:\`${label}\` {\`${key.name}\`: row[0]}) ` +
    `SET n.\`${property.name}\` = ${storageOf(property.type) === 'double' ? SPECIAL : 'row[1]'} RETURN count(n)`;
  let written = 0;
  let rows: string[] = [];
  const flush = async (): Promise<Either<EngineFailure, void>> => {
    const counted = await server.count(`CYPHER rows=[${rows.join(',')}]\n${statement}`);
    rows = [];
    if (isLeft(counted)) return counted;
    written += counted.right;
    return right(undefined);
  };
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const [keys, values] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
    for (let row = 0; row < chunk.rowCount; row++) {
      const [keyText, valueText] = [cypherLiteral(keys.getItem(row)), literal(values.getItem(row))];
      if (isLeft(keyText)) return left({ kind: 'rejected', reason: `A key cannot be written: ${keyText.left}` });
      if (isLeft(valueText)) return left({ kind: 'rejected', reason: `A value cannot be written: ${valueText.left}` });
      rows.push(`[${keyText.right},${valueText.right}]`);
      if (rows.length < ROWS_AT_ONCE) continue;
      const flushed = await flush();
      if (isLeft(flushed)) return flushed;
    }
  }
  if (rows.length > 0) {
    const flushed = await flush();
    if (isLeft(flushed)) return flushed;
  }
  return right(written);
};

const literal = (value: DuckDBValue): Either<string, string> =>
  cypherLiteral(typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);
