import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { inParallel } from '../../../domain/kernel/in-parallel';
import { type FilePage, type FileToLoad } from '../../../queries/views/snapshot';
import { type CallFailure } from '../../control-plane/internal-api';
import { type LoadProgress } from './load-progress';
import { readFileAt } from './read-file';

export type Table = Pick<LoadProgress['steps'][number], 'name'> & { readonly type: 'node' | 'edge' };

/** Requests the files of a definition from the control plane, page by page. */
export type ListFiles = (table: Table, after: number) => Promise<Either<CallFailure, FilePage>>;

interface Wanted {
  readonly table: Table;
  /** Place among the files of its definition. */
  readonly index: number;
  readonly file: FileToLoad;
  readonly path: string;
}

interface FetchContext {
  readonly listFiles: ListFiles;
  /** Each definition gets a folder in it. */
  readonly directory: string;
  readonly onTable: (table: Table, status: 'in_progress' | 'completed') => void;
}

/** A higher concurrency is not faster on two cores and may be throttled by the store. */
const PARALLEL = 4;

export const folderOf = ({ type, name }: Table): string => `${type}s/${name}`;

/**
 * Downloads the files of all definitions to `directory` and checks size and checksum. Returns local paths with plain
 * names by definition, because engines treat `*` and `[` in a path as patterns, and usernames may contain them.
 */
export const fetchFiles = async (
  tables: readonly Table[],
  context: FetchContext,
): Promise<Either<string, ReadonlyMap<string, readonly string[]>>> => {
  const listed = await inParallel(PARALLEL, tables, async (table) => ({
    table,
    files: await listAll(table, context.listFiles),
  }));
  const wanted: Wanted[] = [];
  for (const { table, files } of listed) {
    if (isLeft(files)) return left(`${table.type} ${table.name}: ${files.left}`);
    const folder = join(context.directory, folderOf(table));
    await mkdir(folder, { recursive: true });
    wanted.push(
      ...files.right.map((file, index) => ({ table, index, file, path: join(folder, `exported-${index}.parquet`) })),
    );
  }
  const failure = await fetchEach(wanted, context);
  if (failure !== null) return left(failure);
  return right(
    new Map(
      tables.map((table) => [folderOf(table), wanted.filter((one) => one.table === table).map((one) => one.path)]),
    ),
  );
};

const listAll = async (table: Table, listFiles: ListFiles): Promise<Either<string, readonly FileToLoad[]>> => {
  const files: FileToLoad[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Either<CallFailure, FilePage> = await listFiles(table, after);
    if (isLeft(page)) return left(page.left.reason ?? page.left.message);
    files.push(...page.right.files);
    after = page.right.next;
  }
  return right(files);
};

/** Null if all were fetched; else the first error, which stops the rest. */
const fetchEach = async (wanted: readonly Wanted[], { listFiles, onTable }: FetchContext): Promise<string | null> => {
  const open = new Map<Table, number>();
  for (const { table } of wanted) open.set(table, (open.get(table) ?? 0) + 1);
  let failure: string | null = null;
  await inParallel(PARALLEL, wanted, async ({ table, index, file, path }) => {
    if (failure !== null) return;
    onTable(table, 'in_progress');
    const fetched = await fetchOne(file, path, async () => {
      const page = await listFiles(table, index);
      return isLeft(page) ? null : (page.right.files[0]?.address ?? null);
    });
    if (fetched !== null) failure ??= `${table.type} ${table.name}: ${fetched}`;
    const remaining = (open.get(table) ?? 0) - 1;
    open.set(table, remaining);
    if (remaining === 0 && fetched === null) onTable(table, 'completed');
  });
  return failure;
};

/** Null when the file at `path` matches its record. */
const fetchOne = async (
  { address, bytes, checksum }: FileToLoad,
  path: string,
  newAddress: () => Promise<string | null>,
): Promise<string | null> => {
  const read = await readFileAt(address, path, newAddress);
  const name = new URL(address).pathname.split('/').slice(-2).join('/');
  if (isLeft(read)) return `${name} could not be fetched (${read.left})`;
  if (read.right.bytes !== bytes)
    return `${name} has ${read.right.bytes} bytes, its manifest says ${bytes}; create the instance again`;
  if (checksum !== null && read.right.checksum !== checksum.toLowerCase())
    return `${name} has checksum ${read.right.checksum}, its manifest says ${checksum}; create the instance again`;
  if (read.right.localPath !== null) await symlink(read.right.localPath, path);
  return null;
};
