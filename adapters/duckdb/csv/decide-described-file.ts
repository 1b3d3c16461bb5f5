import '../exact-texts';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { compressionProblem } from './compression-problem';
import { type CsvDescription, parseDescription } from './csv-description';
import { type CsvFile, type CsvLayout } from './csv-layout';
import { decideCsvLayout } from './decide-csv-layout';

export interface DuckdbLimits {
  readonly memoryLimitMb: number;
  readonly threads: number;
  readonly spillDirectory: string;
}

/** The path of the description of a file. */
export const descriptionPath = (path: string): string => `${path}.yaml`;

/** Decides how a file is read, by its description if there is one, with a DuckDB of its own. Left: an error with its path. */
export const decideDescribedFile = async (
  file: CsvFile,
  yaml: string | null,
  limits: DuckdbLimits,
): Promise<Either<string, CsvLayout>> => {
  const description = yaml === null ? right<never, CsvDescription>({}) : parseDescription(yaml);
  if (isLeft(description)) return left(`the description ${descriptionPath(file.path)} is wrong: ${description.left}`);
  const damage = await compressionProblem(file);
  if (damage !== null) return left(damage);
  const layout = await withDuckdb(limits, (connection) => decideCsvLayout(connection, file, description.right));
  if (!isLeft(layout) || layout.left.includes(file.path)) return layout;
  return left(`the file ${file.path} cannot be read: ${layout.left}`);
};

/** Runs work on a DuckDB of its own, because a file can make DuckDB fail internally. It keeps the order of rows. */
export const withDuckdb = async <A>(
  { memoryLimitMb, threads, spillDirectory }: DuckdbLimits,
  work: (connection: DuckDBConnection) => Promise<A>,
): Promise<A> => {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(threads),
    memory_limit: `${memoryLimitMb}MB`,
    temp_directory: spillDirectory,
    errors_as_json: 'true',
  });
  const connection = await instance.connect();
  try {
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
