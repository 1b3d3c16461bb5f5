import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { duckdbType, duckdbValue } from './bound-values';
import { type BoundSelect } from './database-calls';
import { ResultRows } from './result-rows';

/** The database forgets an interrupt between two statements. */
const INTERRUPT_EVERY_MS = 50;
/** The rows that the database computes together: whole answers of so many do not occupy more memory than streams. */
const FEW_ROWS = 2048;

/**
 * A connection for one query at a time. Each query is planned anew: a prepared statement keeps the hash tables of its
 * last run until it is destroyed, and more memory with each run (duckdb/duckdb#21089).
 */
export class GraphConnection {
  private interrupts: NodeJS.Timeout | undefined;
  private streamed: DuckDBResult | null = null;
  private hasTable = false;

  constructor(private readonly connection: DuckDBConnection) {}

  /** Runs a SELECT. `isStored`: computes all rows before the first one is read, so that an error comes before it. */
  async rows(select: BoundSelect, isStored: boolean): Promise<ResultRows> {
    if (select.mostRows > FEW_ROWS) {
      const result = await (isStored ? this.streamStored(select) : this.stream(select));
      return new ResultRows(() => result.fetchChunk(), false);
    }
    const result = await this.whole(select);
    let read = 0;
    return new ResultRows(() => (read < result.chunkCount ? result.getChunk(read++) : null), true);
  }

  /** With as few calls to threads of libuv as possible: for lookups, they take as long as the database. */
  private async whole(select: BoundSelect): Promise<DuckDBMaterializedResult> {
    if (select.values.length === 0) return this.connection.run(select.sql);
    const prepared = await this.connection.prepare(select.sql);
    try {
      prepared.bind(...bound(select));
      return await prepared.run();
    } finally {
      prepared.destroySync();
    }
  }

  private async stream(select: BoundSelect): Promise<DuckDBResult> {
    this.streamed = await this.connection.stream(withEnd(named(select), select), ...bound(select));
    return this.streamed;
  }

  /** Stored in memory, or in files if it does not suffice. */
  private async streamStored(select: BoundSelect): Promise<DuckDBResult> {
    this.hasTable = true;
    await this.connection.run(`CREATE OR REPLACE TEMP TABLE answer AS ${named(select)}`, ...bound(select));
    return this.connection.stream(withEnd('FROM temp.answer', select));
  }

  /** The plan of a SELECT as text; `analyze`: with what running it took. */
  async explain(select: BoundSelect, analyze: boolean): Promise<string> {
    const explain = `EXPLAIN ${analyze ? 'ANALYZE ' : ''}${select.sql}`;
    const rows = await (await this.connection.run(explain, ...bound(select))).getRowsJson();
    return rows.map(([, text]) => (typeof text === 'string' ? text : '')).join('\n');
  }

  /** Interrupts the running statement, and all further ones until `rest`. */
  interrupt(): void {
    if (this.interrupts !== undefined) return;
    this.connection.interrupt();
    this.interrupts = setInterval(() => this.connection.interrupt(), INTERRUPT_EVERY_MS);
  }

  /** Makes the connection ready for the next query. */
  async rest(): Promise<void> {
    clearInterval(this.interrupts);
    this.interrupts = undefined;
    await this.endStream();
    if (this.hasTable) await this.connection.run('DROP TABLE IF EXISTS temp.answer');
    this.hasTable = false;
  }

  /** A stream that was not read to its end would keep its tables. */
  private async endStream(): Promise<void> {
    const { streamed } = this;
    this.streamed = null;
    if (streamed !== null) this.connection.interrupt();
    for (let chunk = await streamed?.fetchChunk(); (chunk?.rowCount ?? 0) > 0;) chunk = await streamed?.fetchChunk();
  }
}

const bound = ({ values }: BoundSelect): [DuckDBValue[], DuckDBType[]] => [
  values.map(({ value, type }) => duckdbValue(value, type)),
  values.map(({ type }) => duckdbType(type)),
];

const named = ({ sql, columns }: BoundSelect): string =>
  `SELECT * FROM (${sql}) AS t(${columns.map((_, column) => `c${column}`).join(', ')})`;

/** The rows of a stream simply end at an error, so a further row shows that they are complete. */
const withEnd = (rows: string, { columns }: BoundSelect): string =>
  `SELECT *, false FROM (${rows}) UNION ALL SELECT ${'NULL, '.repeat(columns.length)}true`;
