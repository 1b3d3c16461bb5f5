import { isLeft } from 'fp-ts/Either';
import { createContext, useContext } from 'react';
import {
  type ApiClient,
  apiClient,
  type ClientFailure,
  type Identity,
  instanceClient,
  type InstanceKind,
  type InstanceOperations,
} from '../../client/web';
import { ApiError, need } from './failure';
import { loginIn, type ProviderLogin } from './provider-login';

/** How users authenticate: by name on a single machine, an API key, a token of an identity provider, or a proxy. */
export type SignInMode = 'username' | 'api_key' | 'oidc' | 'edge';

/** The fields of the sign-in page. */
export interface SignInOptions {
  readonly mode: SignInMode;
  /** False: the first user does not exist yet. */
  readonly hasUsers: boolean;
  /** Whether the first user needs the bootstrap token of the server. */
  readonly needsBootstrapToken: boolean;
  /** Whether the caller is authenticated without signing in. */
  readonly isKnown: boolean;
  /** Null: the user enters a token. */
  readonly login: ProviderLogin | null;
}

export interface Session {
  readonly username: string;
  readonly role: 'analyst' | 'admin' | 'ops';
  readonly mode: SignInMode;
  readonly api: ApiClient;
  readonly identity: Identity;
  /** @param instanceUrl The `instance_url` of a running instance. */
  instance(kind: InstanceKind, instanceUrl: string): InstanceOperations<InstanceKind>;
}

const origin = (): string => new URL('.', location.href).href;

/** The URL of an instance as seen from this page: on the page's origin if it is behind the ingress. */
export const reachable = (instanceUrl: string): string => {
  const { pathname } = new URL(instanceUrl);
  const ingressPath = /\/graphs\/[^/]+$/.exec(pathname)?.[0];
  return ingressPath === undefined ? instanceUrl : new URL(`.${ingressPath}`, origin()).href;
};

const MODES: Readonly<Record<string, SignInMode>> = {
  identity_header: 'username',
  edge_token: 'edge',
  api_key_missing: 'api_key',
  token_missing: 'oidc',
};

const optionsOf = (failure: ClientFailure): SignInOptions | null => {
  if (failure.kind !== 'refused' || failure.status !== 401) return null;
  const mode = MODES[String(failure.details['reason'])];
  return mode === undefined
    ? null
    : {
        mode,
        hasUsers: failure.details['users'] !== 'none',
        needsBootstrapToken: failure.details['bootstrap_token'] === 'required',
        isKnown: false,
        login: loginIn(failure.details['login']),
      };
};

/** Determines the sign-in mode from the API's answer to a caller without identity. */
export const findSignInOptions = async (): Promise<SignInOptions> => {
  const api = apiClient(origin(), { kind: 'anonymous' });
  const answer = await api.getUserInstanceStatus();
  if (!isLeft(answer)) {
    const { expires_at } = await need(api.getSession());
    const mode = expires_at === null ? 'edge' : 'api_key';
    return { mode, hasUsers: true, needsBootstrapToken: false, isKnown: true, login: null };
  }
  const options = optionsOf(answer.left);
  if (options === null) throw new ApiError(answer.left);
  return options;
};

const identityOf = (mode: SignInMode, secret: string): Identity => {
  // The proxy, or the cookie of the session, names the user.
  if (mode === 'edge' || secret === '') return { kind: 'anonymous' };
  return mode === 'username' ? { kind: 'username', username: secret, edgeToken: null } : { kind: 'key', key: secret };
};

/**
 * Signs in with a user name or a key, or without either by the session of this browser; rejects with the error of the
 * API. The secret is kept in memory only; a key opens a session, which a reload continues.
 */
export const signIn = async (mode: SignInMode, secret: string): Promise<Session> => {
  const identity = identityOf(mode, secret);
  const api = apiClient(origin(), identity);
  const { username } = await need(api.getUserInstanceStatus());
  const { role } = await need(api.getUser({ params: { username } }));
  if (mode === 'username') sessionStorage.setItem(NAME, username);
  if (mode === 'api_key' && secret !== '') await need(api.openSession({ body: {} }));
  return {
    username,
    role,
    mode,
    api,
    identity,
    instance: (kind, url) => instanceClient(kind, reachable(url), identity),
  };
};

/** What the first user is created with; `token`: of the identity provider. */
export interface FirstUserInput {
  readonly username: string;
  readonly token: string;
  readonly bootstrapToken: string;
}

/** Creates the first user. The answer contains an API key if users need one; it is shown only once. */
export const createFirstUser = async (mode: SignInMode, input: FirstUserInput): Promise<string | null> => {
  const { username, token, bootstrapToken } = input;
  const key = mode === 'oidc' ? token : null;
  const identity = { kind: 'first_user', key, edgeToken: null, bootstrapToken } as const;
  const body = mode === 'oidc' ? {} : { username };
  const user = await need(apiClient(origin(), identity).bootstrap({ body }));
  return user.api_key ?? null;
};

/** The name of the last user of this tab. A name is not a secret; keys are never stored. */
export const lastName = (): string | null => sessionStorage.getItem(NAME);

/** Forgets the user of this tab, and the session of this browser. */
export const endSession = async ({ mode, api }: Session): Promise<void> => {
  sessionStorage.removeItem(NAME);
  if (mode === 'api_key') await need(api.closeSession());
};
const NAME = 'rowgraph.name';

export const SessionContext = createContext<Session | null>(null);

/** The session of the page; pages are shown only within a session. */
export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A page was shown without a session.');
  return session;
};
