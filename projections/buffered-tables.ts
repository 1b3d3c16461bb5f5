import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ClientBase, type QueryConfig } from 'pg';
import { type ColumnValue, copyLine, copyRows } from './copy-rows';
import { type Row, type TableWriter } from './projection';
import { TableBuffer } from './table-buffer';

/** Large enough to make the cost per statement negligible, and small enough for memory. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * The tables of a projection inside a transaction of the client. Writes to a table become few statements over many rows,
 * as long as no other statement runs in between. Writes are complete only after `flush` resolves. A failed write may
 * make a later call reject.
 */
export class BufferedTables implements TableWriter {
  private readonly buffers = new Map<string, TableBuffer>();
  /** The lines of appended rows, by their table and columns. */
  private readonly appended = new Map<string, string>();

  constructor(private readonly client: Pick<ClientBase, 'query'>) {}

  insert(table: string, row: Row): Promise<void> {
    return this.put(table, (buffer) => buffer.insert(row));
  }

  async append(table: string, row: Readonly<Record<string, ColumnValue>>): Promise<void> {
    const target = `${table} (${Object.keys(row).join(', ')})`;
    const lines = (this.appended.get(target) ?? '') + copyLine(Object.values(row));
    this.appended.set(target, lines);
    if (lines.length > MAX_CHARACTERS) await this.copy(target);
  }

  update(table: string, id: number | string, columns: Row, key = 'id'): Promise<void> {
    return this.change(table, id, columns, key, true);
  }

  updateAll(table: string, value: number | string, columns: Row, key: string): Promise<void> {
    return this.change(table, value, columns, key, false);
  }

  delete(table: string, where: Row): Promise<void> {
    return this.put(table, (buffer) => buffer.delete(where));
  }

  raise(table: string, [key, value]: [string, string], [column, to]: [string, number]): Promise<void> {
    return this.put(table, (buffer) => buffer.raise(key, value, column, to), true);
  }

  async sql(text: string, values: readonly unknown[] = []): Promise<void> {
    await this.flush();
    await this.client.query(prepared(text, values));
  }

  /** Sends all buffered writes in the pipeline. */
  async flush(): Promise<void> {
    const written = await Promise.allSettled([
      ...[...this.buffers.keys()].map((table) => this.write(table)),
      ...[...this.appended.keys()].map((target) => this.copy(target)),
    ]);
    // Later writes fail as a consequence of the first failure.
    for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Discards the buffered writes. */
  discard(): void {
    this.buffers.clear();
    this.appended.clear();
  }

  private copy(target: string): Promise<void> {
    const lines = this.appended.get(target) ?? '';
    this.appended.delete(target);
    return copyRows(this.client, target, lines);
  }

  private async change(
    table: string,
    value: number | string,
    columns: Row,
    key: string,
    isUnique: boolean,
  ): Promise<void> {
    if (this.buffers.get(table)?.conflictsWith(key, columns) === true) await this.write(table);
    await this.put(table, (buffer) => buffer.update(key, value, columns, isUnique));
  }

  private async put(table: string, write: (buffer: TableBuffer) => void, raises = false): Promise<void> {
    if (this.buffers.get(table)?.raises === !raises) await this.write(table);
    const buffer = this.buffers.get(table) ?? new TableBuffer(table);
    this.buffers.set(table, buffer);
    write(buffer);
    if (buffer.characters > MAX_CHARACTERS) await this.write(table);
  }

  private async write(table: string): Promise<void> {
    const statements = this.buffers.get(table)?.statements() ?? [];
    this.buffers.delete(table);
    const sent = statements.map(({ text, rows }) => this.client.query(prepared(text, [rows])));
    const written = await Promise.allSettled(sent);
    for (const outcome of written) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

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
