import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type LoadedEdgeDefinition,
  type LoadedNodeDefinition,
} from '../../../adapters/contracts/graph-pod/instance-mapping';
import { type DuckdbSession, readParquet, sqlName, sqlString } from '../duckdb/duckdb-session';
import { type Defect } from './defect';
import { type StoredColumn, storedColumn } from './stored-column';

/** The exported rows of one definition, and the stored form of each column. */
export interface SourceTable {
  /** Its name in messages: `node Account`. */
  readonly title: string;
  readonly files: readonly string[];
  /** DuckDB SQL that stands for the exported rows. */
  readonly rows: string;
  /** In the order of storing: key or ends first. */
  readonly columns: readonly StoredColumn[];
  /** The files have exactly these columns in this order and type: they can be loaded as they are. */
  readonly asExported: boolean;
}

export interface NodeSource extends SourceTable {
  readonly definition: LoadedNodeDefinition;
  readonly key: StoredColumn;
}

export interface EdgeSource extends SourceTable {
  readonly definition: LoadedEdgeDefinition;
  readonly from: StoredColumn;
  readonly to: StoredColumn;
}

/** A source; left: the defects of its columns. */
type Described<S> = Promise<Either<readonly Defect[], S>>;

export const describeNodes = async (
  session: DuckdbSession,
  definition: LoadedNodeDefinition,
  files: readonly string[],
): Described<NodeSource> => {
  const wanted = [definition.primary_key, ...definition.properties];
  const table = await describeTable(session, `node ${definition.label}`, files, wanted);
  if (isLeft(table)) return table;
  const [key] = table.right.columns;
  if (key === undefined) throw new Error('A node definition has at least its key column.');
  return right({ ...table.right, definition, key });
};

export const describeEdges = async (
  session: DuckdbSession,
  definition: LoadedEdgeDefinition,
  files: readonly string[],
  keyTypes: { readonly from: string; readonly to: string },
): Described<EdgeSource> => {
  const ends = [
    { name: definition.from_key, type: keyTypes.from },
    { name: definition.to_key, type: keyTypes.to },
  ];
  const table = await describeTable(session, `edge ${definition.type}`, files, [...ends, ...definition.properties]);
  if (isLeft(table)) return table;
  const [from, to] = table.right.columns;
  if (from === undefined || to === undefined) throw new Error('An edge definition has at least its two end columns.');
  return right({ ...table.right, definition, from, to });
};

/**
 * Files an engine can load as they are: the exported ones, or converted copies where types, columns or order differ.
 */
export const typedFiles = async (
  session: DuckdbSession,
  source: SourceTable,
  directory: string,
): Promise<readonly string[]> => {
  if (source.asExported) return source.files;
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'typed.parquet');
  const columns = source.columns.map(({ expression, name }) => `${expression} AS ${sqlName(name)}`);
  await session.run(`COPY (SELECT ${columns.join(', ')} FROM ${source.rows}) TO ${sqlString(file)} (FORMAT parquet)`);
  return [file];
};

const describeTable = async (
  session: DuckdbSession,
  title: string,
  files: readonly string[],
  wanted: readonly { readonly name: string; readonly type: string }[],
): Described<SourceTable> => {
  const rows = readParquet(files);
  const exported = await session.columns(`SELECT * FROM ${rows}`);
  const defects: Defect[] = [];
  const columns: StoredColumn[] = [];
  for (const { name, type } of wanted) {
    const found = exported.find((column) => column.name === name) ?? exported.find(named(name));
    if (found === undefined) {
      const known = exported.map((column) => column.name).join(', ');
      defects.push({
        kind: 'missing_column',
        what: `${title}: the column ${name} is missing (exported columns: ${known})`,
      });
      continue;
    }
    const column = storedColumn(name, found.name, found.type, type);
    if (column !== null) columns.push(column);
    else {
      const what = `${title}: the column ${name} is exported as ${found.type.toString()}, which is not a ${type}`;
      defects.push({ kind: 'wrong_column', what });
    }
  }
  if (defects.length > 0) return left(defects);
  const sameColumns =
    exported.length === wanted.length && columns.every((column, at) => exported[at]?.name === column.name);
  return right({ title, files, rows, columns, asExported: sameColumns && columns.every((c) => c.asExported) });
};

const named =
  (name: string) =>
  (column: { readonly name: string }): boolean =>
    column.name.toLowerCase() === name.toLowerCase();
