import { type Connection, readRows, type Row, singleResult } from '../binding/binding';
import { type ColumnType, type GraphSchema, nodeIdJson } from '../../graph-schema';
import { encodeScalar, idText, isRawEntity, isRawId, isRecord, type RawId } from './value-encoder';
import { type ResultColumn } from './exact-columns';
import { exactType, kuzuType, quoteName } from '../binding/kuzu-type';
import { shownName } from '../load/table-names';

/**
 * JSON texts of the `_id`s of nodes by the engine's internal ids. The engine's own ids differ after every load, so
 * answers name nodes by label and key; a relationship only carries the internal ids of its ends, and looking those up
 * by a query scans the table. Ids seen once are kept.
 */
export interface EntityIds {
  /** Remembers the nodes inside a value, and collects the internal ids whose key is not known yet. */
  readonly collect: (value: unknown, missing: Map<string, RawId>) => void;
  /** Looks the missing ones up, in the transaction the connection has open. */
  readonly resolve: (missing: ReadonlyMap<string, RawId>, connection: Connection) => Promise<void>;
  readonly idOf: (id: RawId) => string;
}

const KEPT = 500_000;
/** Above this number, one scan of the whole table is cheaper than a list to compare with. */
const MAX_IN_LIST = 500;

export const createEntityIds = (
  schema: GraphSchema,
  tableNames: ReadonlyMap<number, string>,
  kept = KEPT,
): EntityIds => {
  const known = new RecentTexts(kept);
  const keys = new Map(schema.nodeTables.map(({ label, primaryKey }) => [label, primaryKey]));

  const remember = (id: RawId, label: string, keyJson: string): void => {
    known.set(idText(id), nodeIdJson(shownName(label), keyJson));
  };

  const collect = (value: unknown, missing: Map<string, RawId>): void => {
    if (Array.isArray(value)) return value.forEach((item) => collect(item, missing));
    if (!isRecord(value) || value instanceof Date || Buffer.isBuffer(value)) return;
    if (isRawId(value)) {
      const text = idText(value);
      if (known.get(text) === undefined && keys.has(tableNames.get(value.table) ?? '')) missing.set(text, value);
      return;
    }
    const key = isRawEntity(value) ? keys.get(value._label) : undefined;
    if (isRawEntity(value) && key !== undefined && known.get(idText(value._id)) === undefined) {
      const encoded = encodeScalar(value[key.name], scalarName(key.type));
      if (encoded.exact) {
        remember(value._id, value._label, encoded.json);
        missing.delete(idText(value._id));
      }
    }
    Object.values(value).forEach((part) => collect(part, missing));
  };

  const resolve = async (missing: ReadonlyMap<string, RawId>, connection: Connection): Promise<void> => {
    for (const [table, offsets] of offsetsByTable(missing)) {
      const label = tableNames.get(table) ?? '';
      const key = keys.get(label);
      if (key === undefined) continue;
      const filter = offsets.length > MAX_IN_LIST ? '' : `WHERE offset(id(n)) IN [${offsets.join(', ')}]`;
      const cast = kuzuType(exactType(key.type) ?? key.type);
      const result = singleResult(
        await connection.query(
          `MATCH (n:${quoteName(label)}) ${filter} RETURN offset(id(n)) AS o, CAST(n.${quoteName(key.name)} AS ${cast}) AS k`,
        ),
      );
      const keepsAll = result.getNumTuples() <= kept;
      await readRows(result, ({ o, k }) => {
        const id = { table, offset: Number(o) };
        if (keepsAll || missing.has(idText(id))) remember(id, label, encodeScalar(k, scalarName(key.type)).json);
      });
    }
  };

  const idOf = (id: RawId): string => {
    const text = known.get(idText(id));
    if (text !== undefined) return text;
    const table = tableNames.get(id.table) ?? String(id.table);
    if (keys.has(table)) throw new Error('The answer has more nodes than can be looked up at once; return fewer.');
    return JSON.stringify(`${shownName(table)}:${id.offset}`);
  };

  return { collect, resolve, idOf };
};

const offsetsByTable = (ids: ReadonlyMap<string, RawId>): ReadonlyMap<number, readonly number[]> => {
  const byTable = new Map<number, number[]>();
  for (const { table, offset } of ids.values()) {
    const offsets = byTable.get(table);
    if (offsets === undefined) byTable.set(table, [offset]);
    else offsets.push(offset);
  }
  return byTable;
};

export const mayHoldEntities = ({ type }: ResultColumn): boolean =>
  type.kind !== 'scalar' || type.name === 'INTERNAL_ID';

/** Looks up the ids of the nodes in some rows that are not known yet. */
export const resolveIds = async (
  rows: readonly Row[],
  columns: readonly ResultColumn[],
  ids: EntityIds,
  connection: Connection,
): Promise<void> => {
  const missing = new Map<string, RawId>();
  for (const { name } of columns.filter(mayHoldEntities)) {
    for (const row of rows) ids.collect(row[name], missing);
  }
  if (missing.size > 0) await ids.resolve(missing, connection);
};

const scalarName = (type: ColumnType): string => (type.kind === 'scalar' ? type.name : type.kind);

/** Keeps the texts used last: at least `count`, at most twice as many. */
class RecentTexts {
  private recent = new Map<string, string>();
  private older: ReadonlyMap<string, string> = new Map();

  constructor(private readonly count: number) {}

  get(key: string): string | undefined {
    const text = this.recent.get(key) ?? this.older.get(key);
    if (text !== undefined && !this.recent.has(key)) this.set(key, text);
    return text;
  }

  set(key: string, text: string): void {
    if (this.recent.size >= this.count) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, text);
  }
}
