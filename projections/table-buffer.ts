import { type Row } from './projection';

type Value = number | string;
type MutableRow = Record<string, unknown>;

/** A statement over many rows, which it gets as JSON. */
export interface BatchStatement {
  readonly text: string;
  readonly rows: string;
}

/**
 * The pending writes of one table. A write to a row that is pending itself changes the pending row, so that a row is
 * written once, however often it changes. Deletions are written first, then updates, then inserts.
 */
export class TableBuffer {
  private readonly inserted = new Set<MutableRow>();
  /** The pending rows by their value in a column. */
  private readonly index = new Map<string, Map<string, MutableRow[]>>();
  /** The new values of stored rows, by key column and value. */
  private readonly updated = new Map<string, Map<string, MutableRow>>();
  private readonly deleted = new Map<string, Map<string, Row>>();
  private readonly raised = new Map<string, MutableRow>();
  characters = 0;

  constructor(private readonly table: string) {}

  insert(row: Row): void {
    const pending = { ...row };
    this.inserted.add(pending);
    for (const [columns, rows] of this.index) addTo(rows, valuesOf(columns.split(','), pending), pending);
    this.characters += sizeOf(row);
  }

  /** `isUnique`: at most one row has this value. */
  update(key: string, value: Value, columns: Row, isUnique: boolean): void {
    const pending = this.pendingRows({ [key]: value });
    for (const row of pending) Object.assign(row, columns);
    const indexed = new Set([...this.index.keys()].flatMap((names) => names.split(',')));
    if (Object.keys(columns).some((column) => indexed.has(column))) this.index.clear();
    this.characters += sizeOf(columns);
    if (isUnique && pending.length > 0) return;
    const updates = this.updated.get(key) ?? new Map<string, MutableRow>();
    this.updated.set(key, updates);
    updates.set(String(value), { ...updates.get(String(value)), ...columns, [key]: value });
  }

  /** Whether an update that finds its rows by another column sets one of these columns. */
  conflictsWith(key: string, columns: Row): boolean {
    const others = [...this.updated].filter(([column]) => column !== key).flatMap(([, rows]) => [...rows.values()]);
    return others.some((row) => Object.keys(columns).some((column) => column in row));
  }

  delete(where: Row): void {
    for (const row of this.pendingRows(where)) this.inserted.delete(row);
    const columns = Object.keys(where);
    const key = columns.join();
    const value = valuesOf(columns, where);
    this.updated.get(key)?.delete(value);
    this.deleted.set(key, (this.deleted.get(key) ?? new Map<string, Row>()).set(value, where));
    this.characters += sizeOf(where);
  }

  raise(key: string, value: string, column: string, to: number): void {
    const row = this.raised.get(value);
    if (row === undefined || Number(row[column]) < to) this.raised.set(value, { [key]: value, [column]: to });
  }

  /** Whether it contains raised numbers, which are not mixed with other writes. */
  get raises(): boolean {
    return this.raised.size > 0;
  }

  statements(): readonly BatchStatement[] {
    const { table } = this;
    const records = `json_populate_recordset(NULL::${table}, $1)`;
    const deletions = [...this.deleted].map(([columns, rows]) => {
      const where = columns.split(',').map((name) => `${table}.${name} = record.${name}`);
      const text = `DELETE FROM ${table} USING ${records} AS record WHERE ${where.join(' AND ')}`;
      return { text, rows: JSON.stringify([...rows.values()]) };
    });
    const updates = [...this.updated].flatMap(([key, rows]) =>
      byColumns(rows.values()).map(([columns, written]) => {
        const assignments = columns.filter((name) => name !== key).map((name) => `${name} = record.${name}`);
        const where = `WHERE ${table}.${key} = record.${key}`;
        return {
          text: `UPDATE ${table} SET ${assignments.join(', ')} FROM ${records} AS record ${where}`,
          rows: written,
        };
      }),
    );
    const inserts = byColumns(this.inserted).map(([columns, rows]) => {
      const names = columns.join(', ');
      return { text: `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${records}`, rows };
    });
    const raises = byColumns(this.raised.values()).map(([[key = '', column = ''], rows]) => ({
      text: `INSERT INTO ${table} AS stored (${key}, ${column}) SELECT ${key}, ${column} FROM ${records}
        ON CONFLICT (${key}) DO UPDATE SET ${column} = greatest(stored.${column}, excluded.${column})`,
      rows,
    }));
    return [...deletions, ...updates, ...inserts, ...raises];
  }

  private pendingRows(where: Row): readonly MutableRow[] {
    if (this.inserted.size === 0) return [];
    const columns = Object.keys(where);
    let rows = this.index.get(columns.join());
    if (rows === undefined) {
      rows = new Map();
      this.index.set(columns.join(), rows);
      for (const row of this.inserted) addTo(rows, valuesOf(columns, row), row);
    }
    return (rows.get(valuesOf(columns, where)) ?? []).filter((row) => this.inserted.has(row));
  }
}

const valuesOf = (columns: readonly string[], row: Row): string => columns.map((name) => String(row[name])).join('\0');

const addTo = (rows: Map<string, MutableRow[]>, value: string, row: MutableRow): void => {
  const others = rows.get(value);
  if (others === undefined) rows.set(value, [row]);
  else others.push(row);
};

/** Rows of the same columns, as JSON. */
const byColumns = (rows: Iterable<MutableRow>): readonly (readonly [readonly string[], string])[] => {
  const groups = new Map<string, MutableRow[]>();
  for (const row of rows) {
    const columns = Object.keys(row).join();
    const group = groups.get(columns);
    if (group === undefined) groups.set(columns, [row]);
    else group.push(row);
  }
  return [...groups].map(([columns, group]) => [columns.split(','), JSON.stringify(group)]);
};

/** The approximate length of the JSON text of a row. */
const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => {
    const length =
      typeof value === 'string' ? value.length : typeof value === 'object' ? JSON.stringify(value).length : 8;
    return sum + length + 16;
  }, 0);
