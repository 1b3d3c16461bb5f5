import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The account of the server: PostgreSQL refuses to run as root. */
export interface PostgresAccount {
  /** Owner of the data folder, as the host sees it. */
  readonly uid: number;
  /** Put before every program to run. */
  readonly prefix: readonly string[];
  /** For `spawn`. */
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
 * An ordinary user runs the server directly. For root, a user namespace shows the server another user id while the
 * files stay root's; where namespaces are forbidden the server runs as the unprivileged account, which then owns the data folder.
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

/** Makes a folder belong to the account, also when another account ran the server before. */
export const handOver = async (directory: string, account: PostgresAccount): Promise<void> => {
  if ((await stat(directory)).uid === account.uid) return;
  await run('chown', ['-R', `${account.uid}:${account.identity.gid ?? account.uid}`, directory]);
};
