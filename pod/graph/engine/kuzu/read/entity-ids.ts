import { type Connection, readRows, type Row, singleResult } from '../binding/binding';
import { AnswerFault } from '../../engine-failure';
import { type ColumnType, type GraphProperty, type GraphSchema, nodeIdJson } from '../../graph-schema';
import { encodeScalar, idText, isRawEntity, isRawId, isRecord, type RawId } from './value-encoder';
import { type ResultColumn } from '../binding/exact-plan';
import { exactType, kuzuType, quoteName } from '../binding/kuzu-type';
import { shownName } from '../load/table-names';

const KEPT = 500_000;
/** Above this number, one scan of the whole table is cheaper than a list to compare with. */
const MAX_IN_LIST = 500;

/**
 * JSON texts of the `_id`s of nodes by the engine's internal ids. The internal ids differ after every load, so answers
 * identify nodes by label and key; a relationship contains only the internal ids of its ends, and a query for those
 * scans the table. Known ids are cached.
 */
export class EntityIds {
  readonly #known: RecentTexts;
  readonly #keys: ReadonlyMap<string, NodeKey>;

  /** `tables`: their names by the first number of ids. */
  constructor(
    { nodeTables }: GraphSchema,
    private readonly tables: ReadonlyMap<number, string>,
    private readonly kept = KEPT,
  ) {
    this.#known = new RecentTexts(kept);
    this.#keys = new Map(
      nodeTables.map(({ label, primaryKey }) => [label, { ...primaryKey, shownLabel: shownName(label) }]),
    );
  }

  readonly idOf = (id: RawId): string => {
    const text = this.#known.get(idText(id));
    if (text !== undefined) return text;
    const table = this.tables.get(id.table) ?? String(id.table);
    if (!this.#keys.has(table)) return JSON.stringify(`${shownName(table)}:${id.offset}`);
    throw new AnswerFault('The answer has more nodes than can be looked up at once; return fewer.');
  };

  /** Looks up the unknown ids of the nodes in some rows, in the open transaction of the connection. */
  async lookUp(rows: readonly Row[], columns: readonly ResultColumn[], connection: Connection): Promise<void> {
    const missing = new Map<string, RawId>();
    for (const { name } of columns.filter(mayHoldEntities)) {
      for (const row of rows) this.#collect(row[name], missing);
    }
    for (const [table, offsets] of offsetsByTable(missing)) {
      const label = this.tables.get(table) ?? '';
      const key = this.#keys.get(label);
      if (key === undefined) continue;
      const result = singleResult(await connection.query(keysStatement(label, key, offsets)));
      const keepsAll = result.getNumTuples() <= this.kept;
      await readRows(result, ({ o, k }) => {
        const id = { table, offset: Number(o) };
        if (keepsAll || missing.has(idText(id))) this.#remember(id, key, encodeScalar(k, scalarName(key.type)).json);
      });
    }
  }

  /** Caches the nodes inside a value, and collects the internal ids whose key is unknown. */
  #collect(value: unknown, missing: Map<string, RawId>): void {
    if (Array.isArray(value)) return value.forEach((item) => this.#collect(item, missing));
    if (!isRecord(value) || value instanceof Date || Buffer.isBuffer(value)) return;
    if (isRawId(value)) {
      const text = idText(value);
      const isNode = this.#keys.has(this.tables.get(value.table) ?? '');
      if (isNode && this.#known.get(text) === undefined) missing.set(text, value);
      return;
    }
    const key = isRawEntity(value) ? this.#keys.get(value._label) : undefined;
    if (isRawEntity(value) && key !== undefined && this.#known.get(idText(value._id)) === undefined) {
      const encoded = encodeScalar(value[key.name], scalarName(key.type));
      if (encoded.exact) {
        this.#remember(value._id, key, encoded.json);
        missing.delete(idText(value._id));
      }
    }
    Object.values(value).forEach((part) => this.#collect(part, missing));
  }

  #remember(id: RawId, { shownLabel }: NodeKey, keyJson: string): void {
    this.#known.set(idText(id), nodeIdJson(shownLabel, keyJson));
  }
}

/** The key of a label. */
interface NodeKey extends GraphProperty {
  readonly shownLabel: string;
}

const keysStatement = (label: string, { name, type }: NodeKey, offsets: readonly number[]): string => {
  const filter = offsets.length > MAX_IN_LIST ? '' : `WHERE offset(id(n)) IN [${offsets.join(', ')}]`;
  const key = `CAST(n.${quoteName(name)} AS ${kuzuType(exactType(type) ?? type)})`;
  return `MATCH (n:${quoteName(label)}) ${filter} RETURN offset(id(n)) AS o, ${key} AS k`;
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

const scalarName = (type: ColumnType): string => (type.kind === 'scalar' ? type.name : type.kind);

/** Keeps the most recently used texts: at least `count`, at most twice as many. */
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
