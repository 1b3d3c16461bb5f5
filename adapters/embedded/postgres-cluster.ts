import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Either, left, right } from 'fp-ts/Either';
import { tryPort } from '../system/free-port';
import { type PostgresBinaries } from './postgres-binaries';

export const POSTGRES_USER = 'rowgraph';

export interface PostgresCluster {
  /** The working directory of the server. */
  readonly directory: string;
  readonly password: string;
}

/** Creates the database cluster at the first start. Its password is readable only with access to the data folder. */
export const prepareCluster = async (
  dataDirectory: string,
  binaries: PostgresBinaries,
  account: PostgresAccount,
  durable: boolean,
): Promise<Either<{ readonly message: string }, PostgresCluster>> => {
  const directory = join(dataDirectory, 'cluster');
  const passwordFile = join(dataDirectory, 'password');
  const known = await readFile(passwordFile, 'utf8').catch(() => null);
  const initialized = existsSync(directory);
  if (initialized && known === null) {
    return left({
      message: `The PostgreSQL in ${dataDirectory} cannot be opened: its password file ${passwordFile} cannot be read. Restore the file with its owner.`,
    });
  }
  const password = known ?? randomBytes(24).toString('base64url');
  if (known === null) await writeFile(passwordFile, password, { mode: 0o600 });
  await changeFolderOwner(dataDirectory, account);
  if (initialized) return right({ directory, password });

  // Created under another name and then renamed, so that a killed start does not leave a partial cluster.
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const [program = '', ...args] = [
    ...account.prefix,
    binaries.initdb,
    '-D',
    unfinished,
    ...initdbArguments(passwordFile, durable),
  ];
  try {
    await promisify(execFile)(program, args, {
      ...account.identity,
      cwd: dataDirectory,
      env: { ...process.env, ...binaries.environment },
    });
  } catch (error) {
    return left({ message: `initdb could not create a database cluster in ${directory}: ${String(error)}` });
  }
  await rename(unfinished, directory);
  return right({ directory, password });
};

// The builtin locale sorts by code point and maps upper and lower case of all scripts, in the same way on every
// platform.
const initdbArguments = (passwordFile: string, durable: boolean): readonly string[] => [
  `--username=${POSTGRES_USER}`,
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  ...(durable ? [] : ['--no-sync']),
];

/**
 * The loopback port of the server: that of the last start, so that pools can reconnect, or a new one if another program
 * uses it. Ports are below the ephemeral range, because a client that retries a closed ephemeral port can connect to
 * itself.
 */
export const choosePort = async (dataDirectory: string): Promise<number> => {
  const portFile = join(dataDirectory, 'port');
  const last = Number(await readFile(portFile, 'utf8').catch(() => ''));
  if (last > 0 && (await tryPort(last)) !== null) return last;
  for (;;) {
    const port = randomInt(21_000, 32_000);
    if ((await tryPort(port)) === null) continue;
    await writeFile(portFile, String(port));
    return port;
  }
};

/** The account of the server: PostgreSQL refuses to run as root. */
interface PostgresAccount {
  /** Owner of the data folder, as seen by the host. */
  readonly uid: number;
  /** Prefix of every command line. */
  readonly prefix: readonly string[];
  /** Options of `spawn`. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

/** The user id of the unprivileged account. */
const UNPRIVILEGED_ID = 65534;
const USER_NAMESPACE = [
  'unshare',
  '--user',
  `--map-user=${UNPRIVILEGED_ID}`,
  `--map-group=${UNPRIVILEGED_ID}`,
] as const;
const run = promisify(execFile);

/**
 * An ordinary user runs the server directly. For root, a user namespace shows the server another user id while root
 * remains the owner of the files; where namespaces are forbidden, the server runs as the unprivileged account, which
 * then owns the data folder.
 */
export const choosePostgresAccount = async (): Promise<PostgresAccount> => {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { uid, prefix: [], identity: {} };
  try {
    await run(USER_NAMESPACE[0], [...USER_NAMESPACE.slice(1), 'true']);
    return { uid: 0, prefix: USER_NAMESPACE, identity: {} };
  } catch {
    return { uid: UNPRIVILEGED_ID, prefix: [], identity: { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } };
  }
};

/** Changes the owner of a folder to the account, also after another account ran the server. */
export const changeFolderOwner = async (directory: string, account: PostgresAccount): Promise<void> => {
  if ((await stat(directory)).uid === account.uid) return;
  await run('chown', ['-R', `${account.uid}:${account.identity.gid ?? account.uid}`, directory]);
};
