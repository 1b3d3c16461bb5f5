import { type PoolClient, type QueryConfig } from 'pg';
import { type Row, type TableWriter } from './projection';
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The rows of one statement, as JSON. */
interface Buffered {
  readonly statement: string;
  /** By key for updates, where the last update of a row wins; by number for inserts. */
  readonly rows: Map<number | string, string>;
  characters: number;
}

/** Large enough to make the cost per statement negligible, and small enough for memory. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * The tables of a projection inside a transaction of the client. Inserts of the same columns into a table, and likewise
 * updates, become one statement over many rows, as long as nothing else is written to the table in between. Writes are
 * complete only after `flush` resolves. A failed write may make a later call reject.
 */
export class BufferedTables implements TableWriter {
  private readonly buffered = new Map<string, Buffered>();

  constructor(private readonly client: Pick<PoolClient, 'query'>) {}

  insert(table: string, row: Row): Promise<void> {
    const columns = Object.keys(row).join(', ');
    return this.put(table, `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${recordsOf(table)}`, row);
  }

  update(table: string, id: number | string, columns: Row, key = 'id'): Promise<void> {
    const assignments = Object.keys(columns).map((name) => `${name} = record.${name}`);
    const statement = `UPDATE ${table} SET ${assignments.join(', ')} FROM ${recordsOf(table)} AS record WHERE ${table}.${key} = record.${key}`;
    return this.put(table, statement, { ...columns, [key]: id }, id);
  }

  async sql(text: string, values: readonly unknown[] = []): Promise<void> {
    await this.flush();
    await this.client.query(prepared(text, values));
  }

  /** Sends all buffered writes in the pipeline. */
  async flush(): Promise<void> {
    const written = await Promise.allSettled([...this.buffered.keys()].map((table) => this.write(table)));
    // Later writes fail as a consequence of the first failure.
    for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Discards the buffered writes. */
  discard(): void {
    this.buffered.clear();
  }

  /** Rows without a key are all different. */
  private async put(table: string, statement: string, row: Row, key?: number | string): Promise<void> {
    if (this.buffered.get(table)?.statement !== statement) await this.write(table);
    const buffer = this.buffered.get(table) ?? { statement, rows: new Map<number | string, string>(), characters: 0 };
    this.buffered.set(table, buffer);
    const json = JSON.stringify(row);
    buffer.rows.set(key ?? buffer.rows.size, json);
    buffer.characters += json.length;
    if (buffer.characters > MAX_CHARACTERS) await this.write(table);
  }

  private async write(table: string): Promise<void> {
    const buffer = this.buffered.get(table);
    this.buffered.delete(table);
    if (buffer === undefined) return;
    await this.client.query(prepared(buffer.statement, [`[${[...buffer.rows.values()].join(',')}]`]));
  }
}

/** Expands the parameter to rows of the table. */
const recordsOf = (table: string): string => `json_populate_recordset(NULL::${table}, $1)`;

const names = new LRUCache<string, string>({ max: 1000 });

/**
 * A prepared statement, named by a hash of its text, that each connection parses and plans once: for frequent
 * statements that find their rows by key, so that the plan stays good as tables grow.
 */
export const prepared = (text: string, values: readonly unknown[]): QueryConfig => {
  const name = names.get(text) ?? createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return { name, text, values: [...values] };
};
