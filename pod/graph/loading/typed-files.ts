import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlName, sqlString, type DuckdbSession } from '../duckdb/duckdb-session';
import { type SourceTable } from './source-table';

/** Files an engine can load as they are: the exported ones, or converted copies where types or columns differ. */
export const typedFiles = async (
  session: DuckdbSession,
  source: SourceTable,
  directory: string,
  convertAlways: boolean,
): Promise<readonly string[]> => {
  if (source.asExported && !convertAlways) return source.files;
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'typed.parquet');
  const columns = source.columns.map(({ expression, name }) => `${expression} AS ${sqlName(name)}`);
  await session.run(`COPY (SELECT ${columns.join(', ')} FROM ${source.rows}) TO ${sqlString(file)} (FORMAT parquet)`);
  return [file];
};
