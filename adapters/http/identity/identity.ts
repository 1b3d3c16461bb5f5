import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { andThen } from '../../../domain/kernel/either';
import { type ProviderLogin } from '../../../domain/kernel/error-details';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type Clock } from '../../../domain/ports/clock';
import { type UserRole } from '../../../domain/user';
import { findKeyHolder, findTokenHolder } from '../../../queries/credentials';
import { type ReadDatabase } from '../../../queries/kit/database';
import { isSecretOf, sameSecret, secretIdOf } from '../../system/secret';
import { Username } from '../kit';
import { addToRequestLog } from '../kit/observe-requests';
import { type Sessions } from './session';

/** The sender of a request. */
export interface Identified {
  readonly username: string;
  /** The user in the token of an identity provider; null without such a token. */
  readonly token: TokenUser | null;
  /** The API key of the request, or of its session. */
  readonly keyId?: string;
}

/** A user as described by a token of the identity provider. */
export interface TokenUser {
  readonly username: string;
  /** Null: tokens contain no roles; the user's record decides. */
  readonly role: UserRole | null;
  readonly displayName: string | null;
  readonly email: string | null;
  /** Null if the token does not contain the time. */
  readonly issuedAt: Date | null;
}

/** The caller of a request. */
export interface Caller {
  readonly username: string;
  readonly role: UserRole;
  readonly displayName: string | null;
  /** The user in the token, who may not have a record yet. */
  readonly token?: TokenUser;
  readonly keyId?: string;
}

/** Identifies the sender of a request; the user's record decides about access. */
export type Identify = (request: Request) => Promise<Either<DomainError, Identified>>;

export const unauthorized = (message: string, reason: string): DomainError =>
  domainError('UNAUTHORIZED', message, { reason });

/** The edge in front of the server sets `X-Username`; if an edge token is configured, both headers are required. */
export const trustedEdge =
  (edgeToken: string | null): Identify =>
  (request) =>
    Promise.resolve(andThen(trustedUsername(request, edgeToken), (username) => identified(request, username)));

/** Also adds the username to the log line of the request. */
const identified = (
  request: Request,
  username: string,
  by: { readonly token?: TokenUser; readonly keyId?: string } = {},
): Either<DomainError, Identified> => {
  if (request.res !== undefined) addToRequestLog(request.res, { user: username });
  return right({ username, token: null, ...by });
};

/**
 * The client address of a request: the last entry of `X-Forwarded-For`, which the trusted edge adds, else the socket's.
 */
export const addressBehindEdge =
  (edgeToken: string | null) =>
  (request: Request): string => {
    const forwarded = hasEdgeToken(request, edgeToken)
      ? request.get('X-Forwarded-For')?.split(',').at(-1)?.trim()
      : undefined;
    return forwarded ?? socketAddress(request);
  };

export const socketAddress = (request: Request): string => request.socket.remoteAddress ?? '';

/** The credential of a request, or only its id if rowgraph issued it; null without one. */
export const keyOf = (request: Request): string | null => {
  const key = accessTokenOf(request) ?? request.get('Authorization')?.replace(/^Bearer +/i, '') ?? null;
  return key === null ? null : (secretIdOf('rgk', key) ?? secretIdOf('rgt', key) ?? key);
};

const hasEdgeToken = (request: Request, edgeToken: string | null): boolean =>
  edgeToken === null || sameSecret(request.get('X-Edge-Token') ?? '', edgeToken);

/** Rejects requests that did not come through the edge. */
export const checkEdgeToken = (request: Request, edgeToken: string | null): Either<DomainError, void> =>
  hasEdgeToken(request, edgeToken)
    ? right(undefined)
    : left(unauthorized('The X-Edge-Token header is missing or invalid.', 'edge_token'));

const trustedUsername = (request: Request, edgeToken: string | null): Either<DomainError, string> => {
  const edge = checkEdgeToken(request, edgeToken);
  if (isLeft(edge)) return edge;
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const given = names.filter((name) => name.replaceAll('_', '-') === 'x-username');
  const value = request.get('X-Username') ?? '';
  const hopByHop = (request.get('Connection') ?? '').toLowerCase().includes('x-username');
  const canonical = given.length === 1 && given[0] === 'x-username' && !hopByHop;
  if (!canonical || !Username.is(value)) {
    const message = 'The X-Username header is missing, sent twice, malformed, or names `system`, which is reserved.';
    return left(unauthorized(message, 'identity_header'));
  }
  return right(value);
};

/**
 * Identifies the user by `Authorization: Bearer <API key>`, or by the session that stands for a key; identity headers are
 * ignored. `sessions` is null where there are none.
 */
export const apiKeyIdentity =
  (db: ReadDatabase, clock: Clock, sessions: Sessions | null): Identify =>
  async (request) => {
    const header = request.get('Authorization');
    if (header === undefined) {
      const session = sessions?.read({ method: request.method, header: (name) => request.get(name) }) ?? null;
      const owner = session === null ? null : await findKeyHolder(db, session.keyId);
      return session === null || owner === null
        ? left(unauthorized('Send an API key: Authorization: Bearer rgk_….', 'api_key_missing'))
        : identified(request, owner.username, { keyId: session.keyId });
    }
    const key = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
    const keyId = secretIdOf('rgk', key);
    const holder = keyId === null ? null : await findKeyHolder(db, keyId);
    if (keyId === null || holder === null || !isSecretOf(key, holder.hash)) {
      return left(unauthorized('Unknown API key. It may have been revoked.', 'api_key_invalid'));
    }
    return holder.expires_at !== null && new Date(holder.expires_at) <= clock.now()
      ? left(unauthorized('The API key has expired; create a new one.', 'api_key_expired'))
      : identified(request, holder.username, { keyId });
  };

/** Rejects access tokens: they are valid for their instance only. */
export const withoutAccessToken =
  (identify: Identify): Identify =>
  (request) =>
    accessTokenOf(request) === null
      ? identify(request)
      : Promise.resolve(
          left(unauthorized('An access token is valid for its instance only, not for the API.', 'access_token')),
        );

/**
 * Identifies the caller by an access token of the instance that `instanceOf` finds for the request; other callers are
 * identified by `otherwise`.
 */
export const accessTokenIdentity =
  (
    db: ReadDatabase,
    clock: Clock,
    instanceOf: (request: Request) => Promise<number | null>,
    otherwise: Identify,
  ): Identify =>
  async (request) => {
    const token = accessTokenOf(request);
    if (token === null) return otherwise(request);
    const tokenId = secretIdOf('rgt', token);
    const holder = tokenId === null ? null : await findTokenHolder(db, tokenId);
    const isRight = holder !== null && isSecretOf(token, holder.hash);
    if (!isRight || holder.instance_id !== (await instanceOf(request))) {
      const message = 'Unknown access token for this instance. It may have been revoked; create a new one.';
      return left(unauthorized(message, 'access_token_invalid'));
    }
    return new Date(holder.expires_at) <= clock.now()
      ? left(unauthorized('The access token has expired; create a new one.', 'access_token_expired'))
      : identified(request, holder.username);
  };

const PARAMETER = 'access_token=';

/** Path and query of a URL. */
const halvesOf = (url: string): readonly [string, readonly string[]] => {
  const [path = '', ...query] = url.split('?');
  return [path, query.length === 0 ? [] : query.join('?').split('&')];
};

/** The access token in the query or the bearer of a request; null without one. */
export const accessTokenOf = (request: Pick<Request, 'url' | 'get'>): string | null => {
  const [, parameters] = halvesOf(request.url);
  const given = parameters.find((parameter) => parameter.startsWith(PARAMETER));
  if (given !== undefined) return given.slice(PARAMETER.length);
  return /^Bearer +(rgt_\S*) *$/i.exec(request.get('Authorization') ?? '')?.[1] ?? null;
};

/** A URL that may be forwarded and logged: without the access token in its query. */
export const withoutTokenInQuery = (url: string): string => {
  const [path, parameters] = halvesOf(url);
  const others = parameters.filter((parameter) => !parameter.startsWith(PARAMETER));
  if (others.length === parameters.length) return url;
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
};

/** Returns the user of a token; left: the reason why the token is invalid. */
export type VerifyToken = (token: string) => Promise<Either<DomainError, TokenUser>>;

/** Identifies the user by a bearer token of the identity provider or by an API key. */
export const oidcIdentity =
  (verify: VerifyToken, byKey: Identify, login: ProviderLogin | null): Identify =>
  async (request) => {
    const header = request.get('Authorization');
    if (header === undefined) {
      const message = 'Send a token of the identity provider, or an API key: Authorization: Bearer <token>.';
      const details = { reason: 'token_missing', ...(login === null ? {} : { login }) };
      return left(domainError('UNAUTHORIZED', message, details));
    }
    const bearer = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
    if (bearer.startsWith('rgk_')) return byKey(request);
    const verified = await verify(bearer);
    return isLeft(verified) ? verified : identified(request, verified.right.username, { token: verified.right });
  };
