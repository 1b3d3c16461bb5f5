import { Moment } from '../../../../pod/graph/engine/evaluate/temporal/moment';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { DuckdbEngine } from '../../../../pod/graph/engine/duckdb/duckdb-engine';
import { falkordb } from '../../../pod/graph/support/falkordb';
import { loadedEngine, type LoadedEngine, scratchDirectory } from '../../../pod/graph/support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../../../pod/graph/support/snapshot';
import { isList, type Value, type ValueMap } from '../../../../pod/graph/engine/evaluate/values';
import { type Column, type EdgeRows, type GraphTables, type NodeRows } from './graph-tables';

export type Kind = 'graphdb_a' | 'graphdb_b';

/** An engine of a kind with the tables of a graph. */
export const loadedTables = async (kind: Kind, { nodes, edges }: GraphTables): Promise<LoadedEngine> => {
  const snapshot = await createSnapshot();
  for (const table of nodes) await exportNodes(snapshot, table);
  for (const table of edges) await exportEdges(snapshot, table);
  const mapping = mappingOf(snapshot, {
    node_definitions: nodes.map(({ label, key, columns }) => ({
      label,
      primary_key: { name: key.name, type: key.type },
      properties: columns.map(definitionOf),
    })),
    edge_definitions: edges.map(({ type, from, to, columns }) => ({
      type,
      from_node: from.label,
      to_node: to.label,
      from_key: FROM.name,
      to_key: TO.name,
      properties: columns.map(definitionOf),
    })),
  });
  const directory = await scratchDirectory();
  try {
    return await loadedEngine(engineOf(kind, directory), mapping, snapshot, directory);
  } finally {
    await snapshot.remove();
  }
};

const engineOf = (kind: Kind, directory: string): GraphEngine =>
  kind === 'graphdb_b'
    ? falkordb(directory)
    : new DuckdbEngine({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined });

const definitionOf = ({ name, type }: Column) => ({ name, type });

const FROM = { name: '_from_', sqlType: '' };
const TO = { name: '_to_', sqlType: '' };

const exportNodes = (snapshot: Snapshot, { label, key, columns, rows }: NodeRows): Promise<string> =>
  snapshot.export(`nodes/${label}`, selected([key, ...columns], rows));

const exportEdges = (snapshot: Snapshot, { type, from, to, columns, rows }: EdgeRows): Promise<string> => {
  const ends = [
    { ...FROM, sqlType: from.key.sqlType },
    { ...TO, sqlType: to.key.sqlType },
  ];
  const all = rows.map((row) => new Map([...row.properties, [FROM.name, row.from], [TO.name, row.to]]));
  return snapshot.export(`edges/${type}`, selected([...ends, ...columns], all));
};

const selected = (columns: readonly Pick<Column, 'name' | 'sqlType'>[], rows: readonly ValueMap[]): string => {
  const names = columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  const row = (values: ValueMap): string =>
    columns.map(({ name, sqlType }) => `CAST(${sqlText(values.get(name) ?? null)} AS ${sqlType})`).join(', ');
  const lines = rows.length === 0 ? [row(new Map())] : rows.map(row);
  const end = rows.length === 0 ? ' WHERE false' : '';
  return `SELECT * FROM (VALUES ${lines.map((line) => `(${line})`).join(', ')}) AS t(${names.join(', ')})${end}`;
};

const sqlText = (value: Value): string => {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'number') return `'${value}'::DOUBLE`;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Moment) return `'${String(value)}'`;
  if (isList(value)) return `[${value.map(sqlText).join(', ')}]`;
  throw new Error('A property that is not stored.');
};
