import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type ApiClient,
  createApiClient,
  createInstanceClient,
  type Identity,
  type InstanceClient,
  type InstanceKind,
} from '../client';
import { type CliFailure, failed, wrongUsage } from './failure';
import { type Environment, loginFilePath, readLogin } from './login-file';
import { type Terminal } from './terminal';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** What a command works with. */
export interface Session {
  readonly url: string;
  readonly api: ApiClient;
  readonly instance: <K extends InstanceKind>(kind: K, instanceUrl: string) => InstanceClient<K>;
  readonly terminal: Terminal;
}

/** Where to, and as whom: the option, then the environment, then the saved login. */
export const connect = (
  terminal: Terminal,
  environment: Environment,
  givenUrl: string | undefined,
): Either<CliFailure, Session> => {
  const login = readLogin(loginFilePath(environment));
  if (isLeft(login)) return login;
  const url = checkUrl(givenUrl ?? environment['ROWGRAPH_URL'] ?? login.right?.url ?? DEFAULT_URL);
  if (isLeft(url)) return url;
  const identity = identityAt(url.right, environment, login.right);
  return isLeft(identity) ? identity : right(sessionOf(terminal, url.right, identity.right));
};

export const sessionOf = (terminal: Terminal, url: string, identity: Identity): Session => ({
  url,
  api: createApiClient(url, identity),
  instance: (kind, instanceUrl) => createInstanceClient(kind, instanceUrl, identity),
  terminal,
});

export const checkUrl = (text: string): Either<CliFailure, string> =>
  /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text)
    ? right(text.replace(/\/+$/, '').replace(/\/api$/, ''))
    : left(
        wrongUsage(`${text} is not an address: it has to begin with http:// or https://, for example ${DEFAULT_URL}.`),
      );

export const identityFrom = (
  { key, username }: { readonly key?: string | undefined; readonly username?: string | undefined },
  environment: Environment,
): Identity | null => {
  if (key !== undefined) return { kind: 'key', key };
  const edgeToken = environment['ROWGRAPH_EDGE_TOKEN'] ?? null;
  return username === undefined ? null : { kind: 'username', username, edgeToken };
};

const identityAt = (
  url: string,
  environment: Environment,
  login: { readonly url: string; readonly key?: string; readonly username?: string } | null,
): Either<CliFailure, Identity> => {
  const named = identityFrom(
    { key: environment['ROWGRAPH_API_KEY'], username: environment['ROWGRAPH_USERNAME'] },
    environment,
  );
  if (named !== null) return right(named);
  // A saved key is shown to nobody but the server it was saved for.
  const saved = login?.url === url ? identityFrom(login, environment) : null;
  if (saved !== null) return right(saved);
  return left(
    failed(
      `You are not logged in at ${url}.`,
      `Log in with: rowgraph login --url ${url} --username <name>, or --key <key>.`,
    ),
  );
};
