import { type DuckDBValue } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DuckdbSession, readParquet, sqlName } from '../../duckdb/duckdb-session';
import { type CallFailure, type EngineFailure } from '../engine-failure';
import { type NodeWrite } from '../graph-engine';
import { type GraphProperty } from '../graph-schema';
import { cypherLiteral } from './parameter-line';
import { type RunningServer } from './running-server';
import { storageOf, storedExpression } from './storage';

/**
 * Sets one property on the nodes of a label; returns the number of nodes. `numbers` is a table of their keys and
 * numbers: lookups by number are a hundred times faster than by key.
 */
export const writeNodes = async (
  server: RunningServer,
  session: DuckdbSession,
  { property, parquetFile }: NodeWrite,
  numbers: string,
): Promise<Either<EngineFailure, number>> => {
  const value = storedExpression(`v.${sqlName('value')}`, property);
  const rows = `SELECT n.number, ${value} FROM ${readParquet([parquetFile])} AS v JOIN ${numbers} AS n USING (key) ORDER BY n.number`;
  const writer = new PropertyWriter(server, property);
  for await (const chunk of session.chunks(rows, await session.count([parquetFile]))) {
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

/** A statement that writes blocks all queries until it ends. */
const ROWS_AT_ONCE = 2_000;
/** These numbers do not have a literal, so they are sent as text. */
const DOUBLE =
  "CASE row[1] WHEN 'NaN' THEN 0.0 / 0.0 WHEN 'Infinity' THEN 1.0 / 0.0 WHEN '-Infinity' THEN -1.0 / 0.0 ELSE row[1] END";

/** Sets one property on many nodes, some thousand per statement, so that queries can run in between. */
export class PropertyWriter {
  private readonly statement: string;
  private rows: string[] = [];
  private written = 0;

  constructor(
    private readonly server: RunningServer,
    { name, type }: GraphProperty,
  ) {
    const value = storageOf(type) === 'double' ? DOUBLE : 'row[1]';
    // With a plain name next to the id the server finds the node without a scan.
    this.statement =
      `UNWIND $rows AS row WITH row[0] AS number, ${value} AS value MATCH (n) WHERE id(n) = number ` +
      `SET n.\`${name}\` = value RETURN count(n)`;
  }

  /** Adds the number of a node and its value, a Cypher literal. */
  async add(node: number, value: string): Promise<Either<CallFailure, void>> {
    this.rows.push(`[${node},${value}]`);
    return this.rows.length < ROWS_AT_ONCE ? right(undefined) : this.flush();
  }

  /** Writes the last rows; returns the total number of nodes. */
  async end(): Promise<Either<CallFailure, number>> {
    const flushed = await this.flush();
    return isLeft(flushed) ? flushed : right(this.written);
  }

  private async flush(): Promise<Either<CallFailure, void>> {
    if (this.rows.length === 0) return right(undefined);
    const counted = await this.server.count(`CYPHER rows=[${this.rows.join(',')}]\n${this.statement}`);
    this.rows = [];
    if (isLeft(counted)) return counted;
    this.written += counted.right;
    return right(undefined);
  }
}
