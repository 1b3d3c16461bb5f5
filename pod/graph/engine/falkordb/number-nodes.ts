import { readParquet, sqlName, type DuckdbSession } from '../../duckdb/duckdb-session';
import { type GraphProperty } from '../graph-schema';

interface LabelRows {
  readonly key: GraphProperty;
  readonly files: readonly string[];
  /** Number of the first node. */
  readonly first: number;
}

/**
 * Makes a temporary table of the keys and numbers of the nodes of a label. Numbers grow along the rows of the files,
 * which is the same each time, and neighbours in the files are neighbours in the graph.
 */
export const numberNodes = async (
  session: DuckdbSession,
  table: string,
  { key, files, first }: LabelRows,
): Promise<void> => {
  await session.run('SET preserve_insertion_order = true');
  await session.run(
    `CREATE TEMP TABLE ${table} AS SELECT ${sqlName(key.name)} AS key, ` +
      `(row_number() OVER () - 1 + ${first})::UINTEGER AS number FROM ${readParquet(files)}`,
  );
  await session.run('SET preserve_insertion_order = false');
};
