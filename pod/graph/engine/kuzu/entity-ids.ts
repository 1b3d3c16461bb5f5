import { type Connection } from './binding';
import { type ColumnType } from '../column-type';
import { type GraphSchema, nodeIdJson } from '../graph-schema';
import { encodeScalar } from './encode-scalar';
import { idText, isRawEntity, isRawId, isRecord, type RawId } from './entity';
import { type RawRow } from './encode-rows';
import { type ResultColumn } from './exact-columns';
import { exactType } from './exact-type';
import { kuzuType, quoteName } from './kuzu-type';
import { readRows, singleResult } from './read-rows';
import { shownName } from './table-names';

/**
 * JSON texts of the `_id`s of nodes by the engine's internal ids. The engine's own ids differ after every load, so
 * answers name nodes by label and key; a relationship only carries the internal ids of its ends, and looking those up
 * by a query scans the table. Ids seen once are kept.
 */
export interface EntityIds {
  /** Notes the nodes inside a value, and the internal ids whose key is not known yet. */
  readonly collect: (value: unknown, missing: Map<string, RawId>) => void;
  /** Looks the missing ones up, in the transaction the connection has open. */
  readonly resolve: (missing: ReadonlyMap<string, RawId>, connection: Connection) => Promise<void>;
  readonly idOf: (id: RawId) => string;
}

const MAX_KEPT = 1_000_000;
/** Above so many, one scan of the whole table is cheaper than a list to compare with. */
const MAX_IN_LIST = 500;

export const createEntityIds = (schema: GraphSchema, tableNames: ReadonlyMap<number, string>): EntityIds => {
  const known = new Map<string, string>();
  const keys = new Map(schema.nodeTables.map(({ label, primaryKey }) => [label, primaryKey]));

  const remember = (id: RawId, label: string, keyJson: string): void => {
    if (known.size >= MAX_KEPT) known.clear();
    known.set(idText(id), nodeIdJson(shownName(label), keyJson));
  };

  const collect = (value: unknown, missing: Map<string, RawId>): void => {
    if (Array.isArray(value)) return value.forEach((item) => collect(item, missing));
    if (!isRecord(value) || value instanceof Date || Buffer.isBuffer(value)) return;
    if (isRawId(value)) {
      const text = idText(value);
      if (!known.has(text) && keys.has(tableNames.get(value.table) ?? '')) missing.set(text, value);
      return;
    }
    const key = isRawEntity(value) ? keys.get(value._label) : undefined;
    if (isRawEntity(value) && key !== undefined && !known.has(idText(value._id))) {
      const encoded = encodeScalar(value[key.name], scalarName(key.type));
      if (encoded.exact) {
        remember(value._id, value._label, encoded.json);
        missing.delete(idText(value._id));
      }
    }
    Object.values(value).forEach((part) => collect(part, missing));
  };

  const resolve = async (missing: ReadonlyMap<string, RawId>, connection: Connection): Promise<void> => {
    const byTable = new Map<number, number[]>();
    for (const { table, offset } of missing.values()) byTable.set(table, [...(byTable.get(table) ?? []), offset]);
    for (const [table, offsets] of byTable) {
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
      await readRows(result, ({ o, k }) => {
        if (typeof o === 'number') remember({ table, offset: o }, label, encodeScalar(k, scalarName(key.type)).json);
      });
    }
  };

  const idOf = (id: RawId): string =>
    known.get(idText(id)) ?? JSON.stringify(`${shownName(tableNames.get(id.table) ?? String(id.table))}:${id.offset}`);

  return { collect, resolve, idOf };
};

export const mayHoldEntities = ({ type }: ResultColumn): boolean =>
  type.kind !== 'scalar' || type.name === 'INTERNAL_ID';

/** Looks up the ids of the nodes in some rows that are not known yet. */
export const resolveIds = async (
  rows: readonly RawRow[],
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
