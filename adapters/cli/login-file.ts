import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type CliFailure, failed } from './failure';

const Login = t.intersection([
  t.type({ url: t.string }),
  t.partial({ key: t.string, token: t.string, username: t.string }),
]);

/** Environment variables of the CLI; the server ignores them. */
export const CLIENT_VARIABLES = ['ROWGRAPH_URL', 'ROWGRAPH_API_KEY', 'ROWGRAPH_TOKEN', 'ROWGRAPH_USERNAME'] as const;

/** Server and identity of the saved login. */
export type Login = t.TypeOf<typeof Login>;

export type Environment = Readonly<Record<string, string | undefined>>;

export const loginFilePath = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] ?? join(environment['HOME'] ?? homedir(), '.config'), 'rowgraph', 'config.json');

/** The saved login, if any. */
export const readLogin = (path: string): Either<CliFailure, Login | null> => {
  if (!existsSync(path)) return right(null);
  try {
    const login = Login.decode(JSON.parse(readFileSync(path, 'utf8')));
    if (!isLeft(login)) return login;
  } catch {
    // Reported below.
  }
  return left(failed(`${path} is not a valid login.`, 'Replace it with: rowgraph login'));
};

/** Replaces the file; only its owner can read it. */
export const writeLogin = (path: string, login: Login): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
};

export const removeLogin = (path: string): void => rmSync(path, { force: true });
