/** How the page gets a token of the identity provider, as described by the API. */
export interface ProviderLogin {
  readonly issuer: string;
  readonly audience: string;
  readonly client_id: string;
  readonly scope: string;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const textIn = (fields: unknown, name: string): string | null => {
  const value = isFields(fields) ? fields[name] : null;
  return typeof value === 'string' ? value : null;
};

/** The login in the details of an API error; null without one. */
export const loginIn = (details: unknown): ProviderLogin | null => {
  const [issuer, audience] = [textIn(details, 'issuer'), textIn(details, 'audience')];
  const [client_id, scope] = [textIn(details, 'client_id'), textIn(details, 'scope')];
  if (issuer === null || audience === null || client_id === null || scope === null) return null;
  return { issuer, audience, client_id, scope };
};

/** The login in progress, until the provider redirects back to this tab; without credentials. */
const PENDING = 'rowgraph.login';

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
const returnAddress = (): string => new URL('.', location.href).href;

const endpointOf = async ({ issuer }: ProviderLogin, name: string): Promise<string> => {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = textIn(await (await fetch(url)).json(), name);
  if (found === null) throw new Error(`${url} has no ${name}.`);
  return found;
};

/** Redirects to the page of the identity provider, which returns with a code (authorization code flow with PKCE). */
export const startLogin = async (login: ProviderLogin): Promise<void> => {
  const target = new URL(await endpointOf(login, 'authorization_endpoint'));
  const [verifier, state] = [randomText(), randomText()];
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const parameters = {
    response_type: 'code',
    client_id: login.client_id,
    redirect_uri: returnAddress(),
    scope: login.scope,
    state,
    code_challenge: base64url(new Uint8Array(hash)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  sessionStorage.setItem(PENDING, JSON.stringify({ verifier, state, address: location.hash }));
  location.assign(target);
};

/** The token after the provider's redirect; null if the page was opened otherwise. */
export const finishLogin = async (login: ProviderLogin): Promise<string | null> => {
  const answer = new URLSearchParams(location.search);
  const pending: unknown = JSON.parse(sessionStorage.getItem(PENDING) ?? 'null');
  const verifier = textIn(pending, 'verifier');
  if (verifier === null || !answer.has('state') || answer.get('state') !== textIn(pending, 'state')) return null;
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', `${location.pathname}${textIn(pending, 'address') ?? ''}`);
  const refusal = answer.get('error_description') ?? answer.get('error');
  if (refusal !== null) throw new Error(`The identity provider rejected the sign-in: ${refusal}`);
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: returnAddress(),
    client_id: login.client_id,
    code_verifier: verifier,
  });
  const response = await fetch(await endpointOf(login, 'token_endpoint'), { method: 'POST', body });
  const tokens: unknown = await response.json();
  const [access, id] = [textIn(tokens, 'access_token'), textIn(tokens, 'id_token')];
  const token = access !== null && isFor(access, login.audience) ? access : (id ?? access);
  if (token === null)
    throw new Error(`The identity provider returned no token (${textIn(tokens, 'error') ?? response.status}).`);
  return token;
};

/** Whether a token is a JWT for an audience; the API verifies it. */
const isFor = (token: string, audience: string): boolean => {
  try {
    const claims: unknown = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    return isFields(claims) && [claims['aud']].flat().includes(audience);
  } catch {
    return false;
  }
};
