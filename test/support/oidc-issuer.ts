import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import * as t from 'io-ts';
import { decode } from './api-client';
import { freePort } from './free-port';
import { TIMEOUT_MS } from './running-system';

/** A key the issuer signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

type Claims = Readonly<Record<string, unknown>>;

/** An OpenID provider that runs as a separate program. */
export interface OidcIssuer {
  /** Its address, which is `iss` of its tokens. */
  readonly issuer: string;
  /** The key it signs with now. */
  key(): SigningKey;
  /** An access token of one of its users, for rowgraph or another audience. */
  token(person: string, audience?: string): Promise<string>;
  /**
   * A token that it did not issue: signed with its key, or another one, with these claims in place of the usual ones.
   */
  forge(claims: Claims, by?: { readonly key: SigningKey }): string;
  /** Starts it, or restarts it, with other keys if they are given; it signs with the first. */
  start(change?: { readonly keys: readonly SigningKey[] }): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** SIGSTOP: connections are accepted but not answered; `thaw` resumes. */
  freeze(): void;
  thaw(): void;
}

export const AUDIENCE = 'rowgraph';
const PROGRAM = join(__dirname, 'programs', 'oidc-issuer.cjs');

export const makeSigningKey = (kid: string): SigningKey => ({
  kid,
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

const privateJwk = ({ kid, privateKey }: SigningKey): JsonWebKey => ({
  ...privateKey.export({ format: 'jwk' }),
  ...{ kid, use: 'sig', alg: 'RS256' },
});

/** Header and claims of a token, without its signature. */
export const unsignedToken = (header: Claims, claims: Claims): string =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

const TokenAnswer = t.type({ access_token: t.string });

/**
 * Creates a provider that does not run yet. `people`: the claims in the tokens of each, in addition to the usual ones.
 */
export const createOidcIssuer = async (people: Readonly<Record<string, Claims>>): Promise<OidcIssuer> => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let keys: readonly SigningKey[] = [makeSigningKey('first')];
  let program: ChildProcess | null = null;
  const key = (): SigningKey => keys[0] ?? makeSigningKey('first');
  const kill = async (): Promise<void> => {
    const ending = program;
    program = null;
    if (ending === null || ending.exitCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  };

  return {
    issuer,
    key,
    kill,
    freeze: () => void program?.kill('SIGSTOP'),
    thaw: () => void program?.kill('SIGCONT'),
    start: async (change) => {
      await kill();
      keys = change?.keys ?? keys;
      const environment = {
        ISSUER_PORT: String(port),
        ISSUER_KEYS: JSON.stringify(keys.map(privateJwk)),
        ISSUER_AUDIENCE: AUDIENCE,
        ISSUER_PEOPLE: JSON.stringify(people),
      };
      program = fork(PROGRAM, { env: { PATH: process.env['PATH'], ...environment }, silent: true });
      await once(program, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    },
    token: async (person, audience = 'https://rowgraph.test') => {
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: {
          Authorization: `Basic ${Buffer.from(`${person}:${encodeURIComponent(`secret of ${person}`)}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
      });
      return decode(TokenAnswer, await answer.json(), 'POST /token').access_token;
    },
    forge: (claims, { key: { kid, privateKey } } = { key: key() }) => {
      const now = Math.floor(Date.now() / 1000);
      const usual: Claims = { iss: issuer, aud: AUDIENCE, preferred_username: 'ada', iat: now, exp: now + 60 };
      const payload = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined);
      const signed = unsignedToken({ alg: 'RS256', kid }, Object.fromEntries(payload));
      return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
    },
  };
};
