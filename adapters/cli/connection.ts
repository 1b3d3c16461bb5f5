import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type ApiClient,
  createApiClient,
  createInstanceClient,
  type Identity,
  type InstanceClient,
  type InstanceKind,
} from '../client';
import { type CliFailure, failed, usageError } from './failure';
import { type Environment, loginFilePath, readLogin } from './login-file';
import { type Terminal } from './terminal';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface Session {
  readonly url: string;
  readonly api: ApiClient;
  readonly instance: <K extends InstanceKind>(kind: K, instanceUrl: string) => InstanceClient<K>;
  readonly terminal: Terminal;
}

/** Server and identity: the option, then the environment, then the saved login. */
export const connect = (
  terminal: Terminal,
  environment: Environment,
  givenUrl: string | undefined,
): Either<CliFailure, Session> => {
  const login = readLogin(loginFilePath(environment));
  if (isLeft(login)) return login;
  const address = addressOf(givenUrl, environment, login.right?.url);
  if (isLeft(address)) return address;
  const url = address.right;
  const identity =
    identityFrom(credentialsIn(environment), environment) ??
    // A saved identity is only sent to the server of the login.
    (login.right?.url === url ? identityFrom(login.right, environment) : null);
  if (identity !== null) return right(sessionOf(terminal, url, identity));
  const advice = `Log in with: rowgraph login --url ${url} --username <name>, or --key <key>, or --token <token>.`;
  return left(failed(`Not logged in to ${url}.`, advice));
};

export const sessionOf = (terminal: Terminal, url: string, identity: Identity): Session => ({
  url,
  api: createApiClient(url, identity),
  instance: (kind, instanceUrl) => createInstanceClient(kind, instanceUrl, identity),
  terminal,
});

export const addressOption = {
  flags: '--url <address>',
  description: 'server (ROWGRAPH_URL; default: the saved login)',
};

/** The address of the option, the environment or the login, without /api. */
const addressOf = (
  written: string | undefined,
  environment: Environment,
  saved = DEFAULT_URL,
): Either<CliFailure, string> => {
  const text = written ?? environment['ROWGRAPH_URL'] ?? saved;
  return /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text)
    ? right(text.replace(/\/+$/, '').replace(/\/api$/, ''))
    : left(usageError(`${text} is not an address; expected http:// or https://, for example ${DEFAULT_URL}.`));
};

/** For commands without a login: the server, and what the first user needs. An invalid login file is ignored. */
export const connectAnonymously = (
  terminal: Terminal,
  environment: Environment,
  givenUrl: string | undefined,
): Either<CliFailure, Session> => {
  const login = readLogin(loginFilePath(environment));
  const saved = isLeft(login) ? null : login.right;
  const url = addressOf(givenUrl, environment, saved?.url);
  if (isLeft(url)) return url;
  const token = environment['ROWGRAPH_TOKEN'] ?? (saved?.url === url.right ? saved.token : undefined);
  const { ROWGRAPH_EDGE_TOKEN: edgeToken = null, ROWGRAPH_BOOTSTRAP_TOKEN: bootstrapToken = null } = environment;
  return right(sessionOf(terminal, url.right, { kind: 'first_user', key: token ?? null, edgeToken, bootstrapToken }));
};

/** `token`: issued by an identity provider. */
type Credentials = Partial<Readonly<Record<'key' | 'token' | 'username', string | undefined>>>;

const credentialsIn = (environment: Environment): Credentials => ({
  key: environment['ROWGRAPH_API_KEY'],
  token: environment['ROWGRAPH_TOKEN'],
  username: environment['ROWGRAPH_USERNAME'],
});

export const identityFrom = ({ key, token, username }: Credentials, environment: Environment): Identity | null => {
  const bearer = key ?? token;
  if (bearer !== undefined) return { kind: 'key', key: bearer };
  const edgeToken = environment['ROWGRAPH_EDGE_TOKEN'] ?? null;
  return username === undefined ? null : { kind: 'username', username, edgeToken };
};
