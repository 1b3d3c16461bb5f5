import { type DuckDBValue } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DuckdbSession, readParquet, sqlName } from '../../duckdb/duckdb-session';
import { type EngineFailure } from '../engine-failure';
import { type NodeWrite } from '../graph-engine';
import { cypherLiteral } from './parameter-line';
import { type RunningServer } from './running-server';
import { storageOf, storedExpression } from './storage';

/** These numbers do not have a literal, so they are sent as text. */
const DOUBLE =
  "CASE row[1] WHEN 'NaN' THEN 0.0 / 0.0 WHEN 'Infinity' THEN 1.0 / 0.0 WHEN '-Infinity' THEN -1.0 / 0.0 ELSE row[1] END";

/**
 * Sets one property on the nodes of a label; returns the number of nodes. A statement that writes blocks all queries
 * until it ends, so each writes one chunk of some thousand rows. `numbers` is a table of keys and numbers of the nodes:
 * lookups by number are a hundred times faster than by key.
 */
export const writeNodes = async (
  server: RunningServer,
  session: DuckdbSession,
  { property, parquetFile }: NodeWrite,
  numbers: string,
): Promise<Either<EngineFailure, number>> => {
  // With a plain name next to the id the server finds the node without a scan.
  const statement =
    `UNWIND $rows AS row WITH row[0] AS number, ${storageOf(property.type) === 'double' ? DOUBLE : 'row[1]'} AS value ` +
    `MATCH (n) WHERE id(n) = number SET n.\`${property.name}\` = value RETURN count(n)`;
  const value = storedExpression(`v.${sqlName('value')}`, property);
  const sql = `SELECT n.number, ${value} FROM ${readParquet([parquetFile])} AS v JOIN ${numbers} AS n USING (key) ORDER BY n.number`;
  let written = 0;
  for await (const chunk of session.chunks(sql, await session.count([parquetFile]))) {
    const rows: string[] = [];
    for (const [number, result] of chunk.getRows()) {
      const text = literal(result ?? null);
      if (isLeft(text)) return left({ kind: 'rejected', reason: `A value cannot be written: ${text.left}` });
      rows.push(`[${Number(number)},${text.right}]`);
    }
    const counted = await server.count(`CYPHER rows=[${rows.join(',')}]\n${statement}`);
    if (isLeft(counted)) return counted;
    written += counted.right;
  }
  return right(written);
};

const literal = (value: DuckDBValue): Either<string, string> =>
  cypherLiteral(typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);
