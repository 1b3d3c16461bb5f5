import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../adapters/contracts/graph-pod/instance-mapping';
import { describeFullDisk, isDiskFull } from '../../../adapters/filesystem/disk-full';
import { counted } from '../../../domain/kernel/counted';
import { type DuckdbLimits, type DuckdbSession, openDuckdb } from '../duckdb/duckdb-session';
import { reasonOf } from '../engine/engine-failure';
import { type GraphEngine } from '../engine/graph-engine';
import { type GraphSchema } from '../engine/graph-schema';
import { type CheckedSources, checkSources, graphSchema } from './check-sources';
import { fetchFiles, type ListFiles, type Table } from './fetch-files';
import { failed, type LoadFailure, type ProgressTracker, tablesOf } from './load-progress';
import { typedFiles } from './source-table';

export interface LoadContext {
  readonly listFiles: ListFiles;
  readonly engine: GraphEngine;
  /** Private folder of this pod; the files are kept for the algorithms. */
  readonly directory: string;
  readonly duckdb: DuckdbLimits;
  readonly progress: ProgressTracker;
}

/** One loaded definition. */
export interface LoadedTable {
  readonly name: string;
  readonly rowCount: number;
  /** Parquet files with exactly the stored columns, key or ends first. */
  readonly files: readonly string[];
}

export interface LoadedGraph {
  readonly schema: GraphSchema;
  readonly nodes: readonly LoadedTable[];
  readonly edges: readonly LoadedTable[];
}

/** DuckDB's message advises settings that users do not have. */
const isOutOfMemory = (reason: string): boolean => reason.includes('Out of Memory Error');

const TOO_LARGE =
  'reading the rows takes more memory than the pod has. Shorten long texts and lists in the SQL of the mapping, for ' +
  'example by substr(column, 1, 10000).';

/**
 * Loads a snapshot into an empty engine: fetch, check everything, then create and fill the tables. A full disk is a
 * fault of the machine, not of the data.
 */
export const loadGraph = async (
  mapping: InstanceMapping,
  context: LoadContext,
): Promise<Either<LoadFailure, LoadedGraph>> => {
  try {
    return await load(mapping, context);
  } catch (error) {
    const phase = context.progress.phase();
    if (isOutOfMemory(reasonOf(error)))
      return failed('DATA_LOAD_ERROR', phase, `The snapshot could not be loaded: ${TOO_LARGE}`);
    if (!isDiskFull(error)) throw error;
    return failed('STARTUP_FAILED', phase, await describeFullDisk(context.directory));
  }
};

const load = async (mapping: InstanceMapping, context: LoadContext): Promise<Either<LoadFailure, LoadedGraph>> => {
  const [files, session] = await Promise.all([fetchAll(mapping, context), openDuckdb(context.duckdb)]);
  try {
    if (isLeft(files)) return files;
    context.progress.enter('checking');
    const checked = await checkSources(session, mapping, files.right, context.engine);
    if (isLeft(checked)) return failed('DATA_LOAD_ERROR', 'checking', checked.left);
    const loaded = await fill(session, checked.right, context);
    if (!isLeft(loaded) || loaded.left.code !== 'DATABASE_ERROR') return loaded;
    // The engine may have been ended from outside; a load that failed starts once more, with an empty engine.
    const restarted = await context.engine.start();
    return isLeft(restarted) ? loaded : await fill(session, checked.right, context);
  } finally {
    session.close();
  }
};

/** Local files by definition name, in one folder per definition. */
const fetchAll = async (
  mapping: InstanceMapping,
  { listFiles, directory, progress }: LoadContext,
): Promise<Either<LoadFailure, ReadonlyMap<string, readonly string[]>>> => {
  progress.enter('downloading');
  const onTable = ({ type, name }: Table, status: 'in_progress' | 'completed'): void =>
    progress.update({ type, name }, { status });
  const fetched = await fetchFiles(tablesOf(mapping), { listFiles, directory, onTable });
  return isLeft(fetched) ? failed('DATA_LOAD_ERROR', 'downloading', `${fetched.left}.`) : fetched;
};

const fill = async (
  session: DuckdbSession,
  checked: CheckedSources,
  { engine, directory, progress }: LoadContext,
): Promise<Either<LoadFailure, LoadedGraph>> => {
  const schema = graphSchema(checked);
  progress.enter('creating_schema');
  const failure = async (
    code: LoadFailure['code'],
    what: string,
    reason: string,
  ): Promise<Either<LoadFailure, never>> =>
    isOutOfMemory(reason)
      ? failed('DATA_LOAD_ERROR', progress.phase(), `${what}: ${TOO_LARGE}`)
      : isDiskFull(reason)
        ? failed('STARTUP_FAILED', progress.phase(), await describeFullDisk(directory))
        : failed(code, progress.phase(), `${what}: ${reason}`);
  const created = await engine.createSchema(schema);
  if (isLeft(created)) {
    return failure('SCHEMA_CREATE_ERROR', 'The tables of the mapping could not be created', created.left.reason);
  }
  const tables = { nodes: [] as LoadedTable[], edges: [] as LoadedTable[] };
  for (const part of ['nodes', 'edges'] as const) {
    const phase = `loading_${part}` as const;
    progress.enter(phase);
    for (const { source, name, rowCount } of checked[part]) {
      const step = { type: part === 'nodes' ? 'node' : 'edge', name } as const;
      progress.update(step, { status: 'in_progress' });
      const files = await typedFiles(session, source, join(directory, part, name));
      const loaded = await engine.load(part, name, files);
      if (isLeft(loaded)) {
        const what = `${source.title} could not be loaded into the graph database`;
        return failure('DATABASE_ERROR', what, loaded.left.reason);
      }
      if (loaded.right !== rowCount) {
        const message = `${source.title} was exported with ${counted(rowCount, 'row')}, but the graph database has ${loaded.right}.`;
        return failed('DATABASE_ERROR', phase, message);
      }
      tables[part].push({ name, rowCount, files });
      progress.update(step, { status: 'completed', row_count: rowCount });
    }
  }
  const finished = await engine.finishLoading();
  if (!isLeft(finished)) return right({ schema, ...tables });
  return failure('DATABASE_ERROR', 'The loaded graph could not be made ready to be served', finished.left.reason);
};
