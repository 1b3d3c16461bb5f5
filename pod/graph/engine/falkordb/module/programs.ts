import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { writeDurably } from '../../../../../adapters/filesystem/durable-write';
import { reasonOf } from '../../engine-failure';
import { forOlderGlibc } from './older-glibc';

/** The programs of FalkorDB: a server and the module it loads. */
export interface EnginePrograms {
  readonly server: string;
  readonly module: string;
}

export interface ProgramSource {
  /** The folder of the installed programs, read only; null if the package is not installed. */
  readonly directory: string | null;
  /** The folder of changed copies, shared by all pods; created if missing. */
  readonly cacheDirectory: string;
}

const NOT_INSTALLED = 'the package @falkordblite/linux-x64 is not installed';

/** Programs that run on this machine, or the reason why none do. Copies are created once and shared. */
export const preparePrograms = async (source: ProgramSource): Promise<Either<string, EnginePrograms>> => {
  const { directory, cacheDirectory } = source;
  if (directory === null) return left(NOT_INSTALLED);
  const installed = join(directory, 'redis-server');
  if (existsSync(join(directory, MARK))) return right({ server: installed, module: join(directory, 'falkordb.so') });
  try {
    const module = await changedCopy(join(directory, 'falkordb.so'), cacheDirectory, withExactDoubles);
    if ((await incompatibilityOf(installed)) === null) return right({ server: installed, module });
    const server = await changedCopy(installed, cacheDirectory, forOlderGlibc);
    const incompatibility = await incompatibilityOf(server);
    return incompatibility === null
      ? right({ server, module })
      : left(`its server does not run here: ${incompatibility}`);
  } catch (error) {
    return left(reasonOf(error));
  }
};

/** Replaces the installed programs by changed ones; pods then use these and do not create copies. */
export const changeInstalled = async (directory: string | null): Promise<Either<string, void>> => {
  if (directory === null) return left(NOT_INSTALLED);
  const cacheDirectory = await mkdtemp(join(directory, 'changed-'));
  const changed = await preparePrograms({ directory, cacheDirectory });
  if (isRight(changed)) {
    const { server, module } = changed.right;
    for (const program of [server, module]) await rename(program, join(directory, basename(program)));
    await writeFile(join(directory, MARK), '');
  }
  await rm(cacheDirectory, { recursive: true });
  return isLeft(changed) ? changed : right(undefined);
};

/** Marker file in a folder of changed programs. */
const MARK = '.changed';

/** Increased with each new change to the programs, so that older copies are not used. */
const CHANGES = 3;
const EXECUTABLE = 0o755;

/** A copy is renamed when it is complete, so concurrent starts do not conflict. */
const changedCopy = async (program: string, cache: string, change: (program: Buffer) => Buffer): Promise<string> => {
  const { size, mtimeMs } = await stat(program);
  const version = `${size}-${Math.floor(mtimeMs)}-${CHANGES}`;
  const copy = join(cache, version, basename(program));
  if (existsSync(copy)) return copy;
  const changed = change(await readFile(program));
  await writeDurably(copy, (partialPath) => writeFile(partialPath, changed, { mode: EXECUTABLE }));
  return copy;
};

/** Null if the program starts on this machine. */
const incompatibilityOf = async (server: string): Promise<string | null> => {
  try {
    await promisify(execFile)(server, ['--version'], { timeout: 10_000 });
    return null;
  } catch (error) {
    return String(error).split('\n').slice(0, 3).join(' ');
  }
};

/**
 * The module prints doubles with 15 digits, so 0.30000000000000004 becomes 0.3. With 17 digits every double is exact.
 * The format is one string of the module, of which one character changes. Throws if the string does not occur exactly
 * once, because the module is then another version.
 */
export const withExactDoubles = (module: Buffer): Buffer => {
  const format = Buffer.from('\0%.15g\0');
  const at = module.indexOf(format);
  if (at < 0 || module.indexOf(format, at + 1) >= 0) {
    throw new Error('Unexpected number format in the graph module; use the pinned package version.');
  }
  const changed = Buffer.from(module);
  changed.write('\0%.17g\0', at, 'latin1');
  return changed;
};
