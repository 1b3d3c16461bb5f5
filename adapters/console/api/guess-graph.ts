import { quotedName } from '../../client/quoted-name';
import { type Column, type Table, type TableName } from './tables';

/** A table whose rows become nodes. */
export interface NodeGuess {
  readonly table: Table;
  readonly label: string;
  readonly key: string;
}

/** Two columns of a table that contain keys of nodes. */
export interface EdgeGuess {
  readonly id: string;
  readonly type: string;
  readonly table: Table;
  readonly fromKey: string;
  readonly toKey: string;
  readonly fromLabel: string;
  readonly toLabel: string;
}

export interface GraphGuess {
  readonly nodes: readonly NodeGuess[];
  readonly edges: readonly EdgeGuess[];
}

const singular = (name: string): string =>
  name
    .replace(/ies$/i, 'y')
    .replace(/(ss|x|ch|sh)es$/i, '$1')
    .replace(/([^s])s$/i, '$1');
const words = (name: string): readonly string[] => name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
const RESERVED =
  /^(node|relationship|match|where|return|create|delete|set|remove|with|order|limit|skip|union|call|yield)$/i;
/** A name that the API accepts for a label or type. */
const allowed = (name: string): string => (RESERVED.test(name) ? `${name}_` : name.replace(/^(?=\d)/, 'N'));
const labelOf = (table: string): string => {
  const parts = words(singular(table)).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return allowed(parts.join('') || 'Row');
};
const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const familyOf = (type: string): string => (/int/i.test(type) ? 'int' : type.toLowerCase().replace(/\(.*/, ''));

/** The part of a column name that refers to a table: `cust` of `custkey` and `c_custkey`; null: the name is not of a key. */
const stemOf = (name: string): string | null =>
  /^(?:[a-z]{1,2}_)?([a-z]{3,}?)_?key$/.exec(name.toLowerCase())?.[1] ?? null;

/** The key of `customer` is `c_custkey`; `partsupp` is named after two keys of others. */
const stemKey = ({ table, columns }: Table): Column | undefined => {
  const name = singular(table).toLowerCase();
  const stems = columns.flatMap((column) => stemOf(column.name) ?? []);
  if (stems.some((stem) => stem !== name && name.endsWith(stem))) return undefined;
  return columns.find((column) => name.startsWith(stemOf(column.name) ?? '?'));
};

/** The key column of a table: `id`, or the table's name with `id` or `key`, or the first column that cannot be null. */
export const guessKey = (of: Table): string => {
  const { table, columns } = of;
  const names = [`${singular(table)}_id`, `${table}_id`, `${singular(table)}id`, 'id', 'key', 'uuid'];
  const found = names
    .map((name) => columns.find((column) => isSame(column.name, name)))
    .find((one) => one !== undefined);
  return (found ?? stemKey(of) ?? columns.find(({ isNullable }) => !isNullable) ?? columns[0])?.name ?? '';
};

const hasOwnKey = (of: Table): boolean => {
  const { table, columns } = of;
  const names = [`${singular(table)}_id`, `${table}_id`, `${singular(table)}id`, 'id'];
  return stemKey(of) !== undefined || columns.some(({ name }) => names.some((one) => isSame(one, name)));
};

/** Whether a column refers to rows of a table: it has the name of the table's key, or the table's name with `id`. */
const pointsTo = (column: Column, { table, key }: NodeGuess): boolean => {
  const target = table.columns.find(({ name }) => name === key);
  if (target === undefined || familyOf(target.type) !== familyOf(column.type)) return false;
  const own = singular(table.table);
  if (!isSame(key, 'id') && isSame(column.name, key)) return true;
  if (stemOf(key) !== null && stemOf(key) === stemOf(column.name)) return true;
  const parts = words(column.name).map((word) => word.toLowerCase());
  return parts.includes(own.toLowerCase()) || isSame(column.name, `${own}id`);
};

/**
 * Nodes and edges of chosen tables, guessed from names and types. Labels are unique.
 *
 * @param keyOf The key column of a table.
 */
export const guessGraph = (tables: readonly Table[], keyOf: (table: Table) => string = guessKey): GraphGuess => {
  const candidates = tables.map((table) => ({ table, label: labelOf(table.table), key: keyOf(table) }));
  const referencesOf = (table: Table): readonly (readonly [Column, NodeGuess])[] =>
    table.columns.flatMap((column) => {
      const target = candidates.find(
        (one) =>
          (one.table !== table || ![one.key, guessKey(table)].includes(column.name)) &&
          hasOwnKey(one.table) &&
          pointsTo(column, one),
      );
      return target === undefined ? [] : [[column, target] as const];
    });
  const isLink = (table: Table): boolean => referencesOf(table).length >= 2 && !isReferenced(table);
  const isReferenced = (table: Table): boolean =>
    tables.some((other) => other !== table && referencesOf(other).some(([, target]) => target.table === table));
  const isOnlyLink = (table: Table): boolean => isLink(table) && (!hasOwnKey(table) || isTransfer(referencesOf(table)));
  const links = tables.filter(isOnlyLink);
  const nodes = candidates.filter(({ table }) => !links.includes(table));
  const edges = tables.flatMap((table): readonly EdgeGuess[] => {
    const references = referencesOf(table);
    if (links.includes(table)) {
      const [first, second] = references;
      return first === undefined || second === undefined ? [] : [edgeOf(table, table.table, first, second)];
    }
    const own = candidates.find((one) => one.table === table);
    const ownKey = table.columns.find(({ name }) => name === own?.key);
    if (own === undefined || ownKey === undefined) return [];
    return references.map((reference) => edgeOf(table, nameOf(reference), [ownKey, own], reference));
  });
  return { nodes, edges };
};

/** `home_city` of a column `home_city_id`; the target's name for a column such as `o_custkey`. */
const nameOf = ([{ name }, { label }]: readonly [Column, NodeGuess]): string =>
  (stemOf(name) === null && name.replace(/_?id$/i, '')) || label;

/** Both ends refer to rows of one table, as for payer and payee. */
const isTransfer = (references: readonly (readonly [Column, NodeGuess])[]): boolean =>
  references.length === 2 && references[0]?.[1] === references[1]?.[1];

const edgeOf = (
  table: Table,
  name: string,
  [from, source]: readonly [Column, NodeGuess],
  [to, target]: readonly [Column, NodeGuess],
): EdgeGuess => ({
  id: `${table.catalog}.${table.schema}.${table.table}.${to.name}`,
  type: allowed(words(name).join('_').toUpperCase() || 'EDGE'),
  table,
  fromKey: from.name,
  toKey: to.name,
  fromLabel: source.label,
  toLabel: target.label,
});

export const fullName = ({ catalog, schema, table }: TableName): string =>
  [catalog, schema, table].map(quotedName).join('.');

/** The query of a node: its key first, then the other columns. */
export const nodeSql = ({ table, key }: NodeGuess): string => {
  const others = table.columns.map(({ name }) => name).filter((name) => name !== key);
  return `SELECT ${[key, ...others].map(quotedName).join(', ')} FROM ${fullName(table)}`;
};

/** The query of an edge: both keys, and the other columns if the table contains only edges. */
export const edgeSql = ({ table, fromKey, toKey }: EdgeGuess, isWholeTable: boolean): string => {
  const others = table.columns.map(({ name }) => name).filter((name) => name !== fromKey && name !== toKey);
  const columns = [fromKey, toKey, ...(isWholeTable ? others : [])].map(quotedName).join(', ');
  return `SELECT ${columns} FROM ${fullName(table)} WHERE ${quotedName(fromKey)} IS NOT NULL AND ${quotedName(toKey)} IS NOT NULL`;
};
