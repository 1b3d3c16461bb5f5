import { Moment } from '../../../../pod/graph/engine/evaluate/temporal/moment';
import {
  type Graph,
  type GraphNode,
  isList,
  type Value,
  type ValueMap,
} from '../../../../pod/graph/engine/evaluate/values';

/** The label of nodes without one, and the key of nodes without a property that can be a key. */
export const UNLABELLED = 'Unlabelled';
export const MADE_KEY = 'made_key';

/** A property type of a mapping, and the type of its column in a file. */
export interface Column {
  readonly name: string;
  readonly type: 'INT64' | 'DOUBLE' | 'STRING' | 'BOOL' | 'DATE' | 'TIMESTAMP' | 'LIST';
  readonly sqlType: string;
}

export interface KeyColumn extends Column {
  readonly type: 'INT64' | 'STRING';
}

export interface NodeRows {
  readonly label: string;
  readonly key: KeyColumn;
  readonly columns: readonly Column[];
  /** By the names of the columns, the key included. */
  readonly rows: readonly ValueMap[];
}

export interface EdgeRows {
  readonly type: string;
  readonly from: NodeRows;
  readonly to: NodeRows;
  readonly columns: readonly Column[];
  /** With the keys of its ends first. */
  readonly rows: readonly { readonly from: Value; readonly to: Value; readonly properties: ValueMap }[];
}

export interface GraphTables {
  readonly nodes: readonly NodeRows[];
  readonly edges: readonly EdgeRows[];
}

/** The tables of a graph, or the reason why they cannot fit a mapping. */
export const tablesOf = ({ nodes, relationships }: Graph): GraphTables | string => {
  const several = nodes.find(({ labels }) => labels.length > 1);
  if (several !== undefined) return 'a node with several labels';
  const labels = [...new Set(nodes.map(labelOf))];
  const tables: NodeRows[] = [];
  for (const label of labels.length === 0 ? [UNLABELLED] : labels) {
    const table = nodeRows(
      label,
      nodes.filter((node) => labelOf(node) === label),
    );
    if (typeof table === 'string') return table;
    tables.push(table);
  }
  const tableOf = (node: GraphNode): NodeRows | undefined => tables.find(({ label }) => label === labelOf(node));
  const edges: EdgeRows[] = [];
  for (const type of new Set(relationships.map((relationship) => relationship.type))) {
    const own = relationships.filter((relationship) => relationship.type === type);
    const [from, ...otherFrom] = new Set(own.map(({ start }) => tableOf(start)));
    const [to, ...otherTo] = new Set(own.map(({ end }) => tableOf(end)));
    if (from === undefined || to === undefined || otherFrom.length + otherTo.length > 0)
      return 'a relationship type between several labels';
    const columns = columnsOf(own.map(({ properties }) => properties));
    if (typeof columns === 'string') return columns;
    const rows = own.map(({ start, end, properties }) => ({
      from: keyOf(from, start),
      to: keyOf(to, end),
      properties,
    }));
    edges.push({ type, from, to, columns, rows });
  }
  return { nodes: tables, edges };
};

const labelOf = ({ labels }: GraphNode): string => labels[0] ?? UNLABELLED;

const keyOf = ({ key }: NodeRows, { id, properties }: GraphNode): Value =>
  key.name === MADE_KEY ? BigInt(id) : (properties.get(key.name) ?? null);

const nodeRows = (label: string, nodes: readonly GraphNode[]): NodeRows | string => {
  const columns = columnsOf(nodes.map(({ properties }) => properties));
  if (typeof columns === 'string') return columns;
  const key: KeyColumn = columns.find((column): column is KeyColumn => canBeKey(column, nodes)) ?? {
    name: MADE_KEY,
    type: 'INT64',
    sqlType: 'BIGINT',
  };
  const rows = nodes.map(({ id, properties }) =>
    key.name === MADE_KEY ? new Map(properties).set(MADE_KEY, BigInt(id)) : properties,
  );
  return { label, key, columns: columns.filter(({ name }) => name !== key.name), rows };
};

const canBeKey = (column: Column, nodes: readonly GraphNode[]): column is KeyColumn => {
  const { name, type } = column;
  const values = nodes.map(({ properties }) => properties.get(name));
  return (
    (type === 'INT64' || type === 'STRING') && !values.includes(undefined) && new Set(values).size === nodes.length
  );
};

const columnsOf = (all: readonly ValueMap[]): readonly Column[] | string => {
  const names = [...new Set(all.flatMap((properties) => [...properties.keys()]))];
  const columns: Column[] = [];
  for (const name of names) {
    const types = new Set(all.map((properties) => sqlTypeOf(properties.get(name) ?? null)));
    types.delete('');
    if (types.size > 1) types.delete(EMPTY_LIST);
    const [sqlType, ...others] = types;
    if (sqlType === undefined) continue;
    const type = sqlType.endsWith('[]') ? 'LIST' : TYPES[sqlType];
    if (type === undefined || others.length > 0) return 'a property with values of several types';
    columns.push({ name, type, sqlType });
  }
  return columns;
};

const TYPES: Readonly<Record<string, Column['type']>> = {
  BIGINT: 'INT64',
  DOUBLE: 'DOUBLE',
  VARCHAR: 'STRING',
  BOOLEAN: 'BOOL',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
};

/** A type that fits all empty lists. */
const EMPTY_LIST = 'BIGINT[]';

/** No property type has a zone, a time without a date, or nanoseconds. */
const columnTypeOf = ({ type, local }: Moment): string =>
  type === 'LOCALDATETIME' && local.nanosecond === 0 ? 'TIMESTAMP' : Object.hasOwn(TYPES, type) ? type : '?';

/** Empty for null, `?` for a value without a type. */
const sqlTypeOf = (value: Value): string => {
  if (value === null) return '';
  if (typeof value === 'bigint') return 'BIGINT';
  if (typeof value === 'number') return 'DOUBLE';
  if (typeof value === 'string') return 'VARCHAR';
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (value instanceof Moment) return columnTypeOf(value);
  if (!isList(value)) return '?';
  if (value.length === 0) return EMPTY_LIST;
  const [type = '', ...others] = new Set(value.map(sqlTypeOf));
  return others.length === 0 && Object.hasOwn(TYPES, type) ? `${type}[]` : '?';
};
