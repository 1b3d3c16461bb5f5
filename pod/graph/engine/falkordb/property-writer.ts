import { type Either, isLeft, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type GraphProperty } from '../graph-schema';
import { type RunningServer } from './running-server';
import { storageOf } from './storage';

/** A writing statement holds up all queries until it ends. */
const ROWS_AT_ONCE = 2_000;
/** Literals cannot be these numbers, so they are sent as text; whole ones are written without a point. */
const DOUBLE =
  "CASE row[1] WHEN 'NaN' THEN 0.0 / 0.0 WHEN 'Infinity' THEN 1.0 / 0.0 WHEN '-Infinity' THEN -1.0 / 0.0 ELSE toFloat(row[1]) END";

/** Sets one property on many nodes, some thousand in a statement, so that queries go on in between. */
export class PropertyWriter {
  private readonly statement: string;
  private rows: string[] = [];
  private written = 0;

  constructor(
    private readonly server: RunningServer,
    { name, type }: GraphProperty,
  ) {
    const value = storageOf(type) === 'double' ? DOUBLE : 'row[1]';
    // A plain name beside the id is what makes the server go to the node instead of looking at all.
    this.statement =
      `UNWIND $rows AS row WITH row[0] AS number, ${value} AS value MATCH (n) WHERE id(n) = number ` +
      `SET n.\`${name}\` = value RETURN count(n)`;
  }

  /** Takes the number of a node and its value, a literal of Cypher. */
  async add(node: number, value: string): Promise<Either<CallFailure, void>> {
    this.rows.push(`[${node},${value}]`);
    return this.rows.length < ROWS_AT_ONCE ? right(undefined) : this.flush();
  }

  /** Writes the last rows; answers how many nodes were reached in all. */
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
