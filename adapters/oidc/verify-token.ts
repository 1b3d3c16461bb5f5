import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type Clock } from '../../domain/ports/clock';
import { type UserRole } from '../../domain/user';
import { type TokenUser, type VerifyToken } from '../http/identity';
import { Username } from '../http/kit';
import { DisplayName, EmailAddress } from '../http/public/codecs';
import { type FindKey, type KeyError } from './issuer-keys';

/** Rules for accepted tokens, and the claims to read. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly usernameClaim: string;
  /** Null: tokens do not contain roles. */
  readonly rolesClaim: string | null;
}

/** Asymmetric algorithms only: with a shared secret, the public key would be sufficient to sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Maximum difference between the clocks of the issuer and of this machine. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Verifies a token of the identity provider; returns its user, or an error with the invalid field. */
export const tokenVerifier =
  (rules: TokenRules, findKey: FindKey, clock: Clock): VerifyToken =>
  async (token) => {
    const read = readUnverified(token);
    if (isLeft(read)) return read;
    const { header, claims } = read.right;
    if (header.alg === undefined || !ALGORITHMS.includes(header.alg)) {
      return refuse(
        'alg',
        `The token is signed with ${header.alg ?? 'no algorithm'}; allowed: ${ALGORITHMS.join(', ')}.`,
      );
    }
    // Tokens of other issuers do not cause a request for keys.
    if (claims.iss !== rules.issuer) return refuse('iss', wrongIssuer(claims.iss, rules.issuer));
    const key = await findKey(header);
    if (isLeft(key)) return left(keyRefusal(key.left, header, rules.issuer));
    try {
      const { payload } = await jwtVerify(token, key.right, {
        algorithms: ALGORITHMS,
        issuer: rules.issuer,
        audience: rules.audience,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: clock.now(),
      });
      return personOf(payload, rules);
    } catch (error) {
      return verificationRefusal(error, claims, rules);
    }
  };

const refuse = (field: string, message: string, reason = 'token_invalid'): Either<DomainError, never> =>
  left(domainError('UNAUTHORIZED', message, { reason, field }));

/** Header and claims before verification. */
const readUnverified = (
  token: string,
): Either<DomainError, { readonly header: ProtectedHeaderParameters; readonly claims: JWTPayload }> => {
  try {
    return right({ header: decodeProtectedHeader(token), claims: decodeJwt(token) });
  } catch {
    return refuse('token', 'The bearer token is neither an API key nor a signed token (JWT) of the identity provider.');
  }
};

const wrongIssuer = (given: unknown, expected: string): string =>
  `The token issuer is ${given === undefined ? 'missing' : show(given)} (iss); expected ${expected}.`;

const keyRefusal = (keyError: KeyError, { kid }: ProtectedHeaderParameters, issuer: string): DomainError => {
  const key = kid === undefined ? 'an unnamed key (kid)' : `the key ${show(kid)} (kid)`;
  if (keyError.kind === 'issuer_unreachable') {
    const message = `The token is signed with ${key}, which is unknown, and the keys of ${issuer} are not readable: ${keyError.reason}. Try again.`;
    return domainError('SERVICE_UNAVAILABLE', message, { retry_after_seconds: keyError.retryAfterSeconds });
  }
  const why =
    keyError.kind === 'unknown_key' ? `which ${issuer} does not have` : `which cannot be used: ${keyError.reason}`;
  return domainError('UNAUTHORIZED', `The token is signed with ${key}, ${why}.`, {
    reason: 'token_invalid',
    field: 'kid',
  });
};

const verificationRefusal = (error: unknown, claims: JWTPayload, rules: TokenRules): Either<DomainError, never> => {
  if (error instanceof errors.JWTExpired) {
    return refuse('exp', `The token expired at ${timeOf(claims.exp)} (exp); get a new one.`, 'token_expired');
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (reason === 'missing') return refuse(claim, `The token has no ${claim}, which is required.`);
    if (claim === 'aud') {
      return refuse(claim, `The token audience is ${show(claims.aud)} (aud); expected ${rules.audience}.`);
    }
    if (claim === 'nbf') return refuse(claim, `The token is not valid before ${timeOf(claims.nbf)} (nbf).`);
    return refuse(claim, `The ${claim} of the token is invalid: ${error.message}.`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return refuse(
      'signature',
      'The signature of the token is invalid: the token was changed, or another issuer signed it.',
    );
  }
  return refuse('token', `The token cannot be verified: ${error instanceof Error ? error.message : String(error)}.`);
};

/** The user of the token. Invalid names and addresses are omitted. */
const personOf = (claims: JWTPayload, { usernameClaim, rolesClaim }: TokenRules): Either<DomainError, TokenUser> => {
  const given = claimAt(claims, usernameClaim);
  if (given === undefined) return refuse(usernameClaim, `The token has no ${usernameClaim}, which names the user.`);
  const username = Username.decode(given);
  if (isLeft(username)) {
    const rule = username.left.at(-1)?.message ?? 'is not valid';
    return refuse(
      usernameClaim,
      `The ${usernameClaim} of the token is ${show(given)}, which is not a valid username: it ${rule}.`,
    );
  }
  if (usernameClaim === 'email' && claims['email_verified'] === false) {
    return refuse('email_verified', `The address ${username.right} is not verified (email_verified).`);
  }
  const name = DisplayName.decode(claims['name']);
  const email = EmailAddress.decode(claims['email']);
  return right({
    username: username.right,
    role: rolesClaim === null ? null : roleIn(claimAt(claims, rolesClaim)),
    displayName: isLeft(name) ? null : name.right,
    email: isLeft(email) ? null : email.right,
    issuedAt: typeof claims.iat === 'number' ? new Date(claims.iat * 1000) : null,
  });
};

const timeOf = (seconds: unknown): string => {
  const time = new Date(typeof seconds === 'number' ? seconds * 1000 : NaN);
  return Number.isNaN(time.getTime()) ? 'an invalid time' : time.toISOString();
};

const SHOWN = 200;

const show = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
};

type Claims = Readonly<Record<string, unknown>>;

/**
 * The claim of that name; `realm_access.roles` is `roles` within `realm_access`, unless a claim's own name contains the
 * dot. Undefined: the claim is missing.
 */
export const claimAt = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const outer = Object.hasOwn(claims, name.slice(0, dot)) ? claims[name.slice(0, dot)] : undefined;
    const inner = isClaims(outer) ? claimAt(outer, name.slice(dot + 1)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const HIGHEST_FIRST = ['ops', 'admin', 'analyst'] as const satisfies readonly UserRole[];

/** The highest role in a claim that is a list or space-separated text; `analyst` without a known role. */
const roleIn = (claim: unknown): UserRole => {
  const named: readonly unknown[] = typeof claim === 'string' ? claim.split(/\s+/) : Array.isArray(claim) ? claim : [];
  return HIGHEST_FIRST.find((role) => named.includes(role)) ?? 'analyst';
};
