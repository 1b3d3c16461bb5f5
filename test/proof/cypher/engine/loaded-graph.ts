import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Moment } from '../../../../pod/graph/engine/evaluate/temporal/moment';
import { isList, type Value, type ValueMap } from '../../../../pod/graph/engine/evaluate/values';
import { engineOfKind, type Kind } from '../../../pod/graph/support/engine-of-kind';
import { type LoadedEngine, loadedEngine, scratchDirectory } from '../../../pod/graph/support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../../../pod/graph/support/snapshot';
import { type Column, type EdgeRows, type GraphTables, type NodeRows } from './graph-tables';

/** An engine of a kind with the tables of a graph. */
export const loadedTables = async (
  kind: Kind,
  { nodes, edges }: GraphTables,
  memoryBytes?: number,
): Promise<LoadedEngine> => {
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
    return await loadedEngine(engineOfKind(kind, directory, memoryBytes), mapping, snapshot, directory);
  } finally {
    await snapshot.remove();
  }
};

const definitionOf = ({ name, type }: Column) => ({ name, type });

const FROM = { name: '_from_', sqlType: '' };
const TO = { name: '_to_', sqlType: '' };

const exportNodes = async (snapshot: Snapshot, { label, key, columns, rows }: NodeRows): Promise<void> => {
  await exportRows(snapshot, `nodes/${label}`, [key, ...columns], rows);
};

const exportEdges = async (snapshot: Snapshot, { type, from, to, columns, rows }: EdgeRows): Promise<void> => {
  const ends = [
    { ...FROM, sqlType: from.key.sqlType },
    { ...TO, sqlType: to.key.sqlType },
  ];
  const all = rows.map((row) => new Map([...row.properties, [FROM.name, row.from], [TO.name, row.to]]));
  await exportRows(snapshot, `edges/${type}`, [...ends, ...columns], all);
};

/** By a file of texts: the parser of DuckDB is slow with many values. */
const exportRows = async (
  snapshot: Snapshot,
  definition: string,
  columns: readonly Pick<Column, 'name' | 'sqlType'>[],
  rows: readonly ValueMap[],
): Promise<void> => {
  const file = join(snapshot.root, `${definition.replace('/', '-')}.json`);
  const lines = rows.map((row) =>
    JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [`c${at}`, textOf(row.get(name) ?? null)]))),
  );
  await writeFile(file, lines.join('\n'));
  const read = columns.map(({ sqlType }, at) => `c${at}: '${sqlType.endsWith('[]') ? 'VARCHAR[]' : 'VARCHAR'}'`);
  const selected = columns.map(
    ({ name, sqlType }, at) => `CAST(c${at} AS ${sqlType}) AS "${name.replaceAll('"', '""')}"`,
  );
  await snapshot.export(
    definition,
    `SELECT ${selected.join(', ')} FROM read_json('${file}', format = 'newline_delimited', columns = {${read.join(', ')}})`,
  );
};

const textOf = (value: Value): unknown => {
  if (isList(value)) return value.map(textOf);
  if (value instanceof Moment) return String(value);
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
};
