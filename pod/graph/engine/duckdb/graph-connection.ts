import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 64;
/** The database forgets an interrupt between two statements. */
const INTERRUPT_EVERY_MS = 50;

/** A connection for one query at a time, with its most recently used statements prepared. */
export class GraphConnection {
  private readonly statements = new LRUCache<string, DuckDBPreparedStatement>({
    max: MAX_STATEMENTS,
    dispose: (statement) => statement.destroySync(),
  });
  private interrupts: NodeJS.Timeout | undefined;
  private running: DuckDBResult | null = null;

  constructor(private readonly connection: DuckDBConnection) {}

  hasPrepared(sql: string): boolean {
    return this.statements.has(sql);
  }

  /** Starts a statement; its rows are computed as they are read. */
  async start(sql: string, values: readonly DuckDBValue[], types: readonly DuckDBType[]): Promise<DuckDBResult> {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = await this.connection.prepare(sql);
      this.statements.set(sql, statement);
    }
    statement.bind([...values], [...types]);
    this.running = await statement.stream();
    return this.running;
  }

  /** Interrupts the running statement, and all further ones until `rest`. */
  interrupt(): void {
    if (this.interrupts !== undefined) return;
    this.connection.interrupt();
    this.interrupts = setInterval(() => this.connection.interrupt(), INTERRUPT_EVERY_MS);
  }

  /** Ends the running statement. */
  async cancel(): Promise<void> {
    if (this.running === null) return;
    this.connection.interrupt();
    await this.running.fetchChunk().catch(() => undefined);
    this.running = null;
  }

  /** Ends the running statement, and makes the connection ready for the next query. */
  async rest(): Promise<void> {
    await this.cancel();
    clearInterval(this.interrupts);
    this.interrupts = undefined;
  }

  close(): void {
    clearInterval(this.interrupts);
    this.statements.clear();
    this.connection.closeSync();
  }
}
