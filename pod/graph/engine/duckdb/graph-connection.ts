import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 128;
/** The database forgets an interrupt between two statements. */
const INTERRUPT_EVERY_MS = 50;
/** Results of at most so many rows are kept in the memory of the process. */
const FEW_ROWS = 2_048;

/** A SELECT with its values for `$1`, `$2`, … */
export interface BoundSelect {
  readonly sql: string;
  readonly columnCount: number;
  readonly values: readonly DuckDBValue[];
  readonly types: readonly DuckDBType[];
}

/** A result that was computed without an error, with its number of rows. */
export interface CompleteResult {
  readonly result: DuckDBResult;
  readonly rowCount: number;
}

/** A connection for one query at a time, with its most recently used statements prepared. */
export class GraphConnection {
  private readonly statements = new LRUCache<string, DuckDBPreparedStatement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => statement.destroySync(),
  });
  private interrupts: NodeJS.Timeout | undefined;
  private hasTable = false;

  constructor(private readonly connection: DuckDBConnection) {}

  hasPrepared({ sql, columnCount }: Pick<BoundSelect, 'sql' | 'columnCount'>): boolean {
    return this.statements.has(fewRows(sql, columnCount));
  }

  /**
   * Runs a SELECT; `maxRows`: of its first rows only. The rows of a stream would simply end at an error in the middle, so
   * many rows are first stored in a table, which the database keeps in files if its memory does not suffice.
   */
  async select(select: BoundSelect, maxRows: number | null): Promise<CompleteResult> {
    const { sql, columnCount } = select;
    const few = await (await this.bound(fewRows(sql, columnCount), select)).run();
    if (few.rowCount <= FEW_ROWS) return { result: few, rowCount: few.rowCount };
    this.hasTable = true;
    const limit = maxRows === null ? '' : ` LIMIT ${maxRows}`;
    const create = `CREATE OR REPLACE TEMP TABLE answer AS ${named(sql, columnCount)}${limit}`;
    // Prepared again each time: a second run of such a statement would create a table without columns.
    const created = await this.connection.run(create, [...select.values], [...select.types]);
    const [count] = await created.getRowsJS();
    return { result: await this.connection.stream('FROM temp.answer'), rowCount: Number(count?.[0]) };
  }

  /** The plan of a SELECT as text; `analyze`: with what running it took. */
  async explain({ sql, values, types }: BoundSelect, analyze: boolean): Promise<string> {
    const explain = `EXPLAIN ${analyze ? 'ANALYZE ' : ''}${sql}`;
    const rows = await (await this.connection.run(explain, [...values], [...types])).getRowsJson();
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
    if (this.hasTable) await this.connection.run('DROP TABLE IF EXISTS temp.answer');
    this.hasTable = false;
  }

  close(): void {
    this.statements.clear();
    this.connection.closeSync();
  }

  private async bound(sql: string, { values, types }: BoundSelect): Promise<DuckDBPreparedStatement> {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = await this.connection.prepare(sql);
      this.statements.set(sql, statement);
    }
    statement.bind([...values], [...types]);
    return statement;
  }
}

const named = (sql: string, columnCount: number): string =>
  `SELECT * FROM (${sql}) AS t(${Array.from({ length: columnCount }, (_, column) => `c${column}`).join(', ')})`;

const fewRows = (sql: string, columnCount: number): string => `${named(sql, columnCount)} LIMIT ${FEW_ROWS + 1}`;
