import { type Either, left, right } from 'fp-ts/Either';
import { type FieldsOf, matching, optional } from '../../domain/kernel/codecs';
import { type ProviderLogin } from '../../domain/kernel/error-details';
import { failedChecks, nonEmpty, onOff, unusedVariables } from '../contracts/environment';
import { type TokenRules } from '../oidc/verify-token';

const claim = nonEmpty(255);

/** The variables of an identity provider. */
export const oidcVariables = {
  ROWGRAPH_OIDC_ISSUER: optional(
    matching(
      /^(https:\/\/[^\s/?#]+|http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/,
      'must be a URL that begins with https:// (http:// on loopback only), without query',
      2000,
    ),
  ),
  ROWGRAPH_OIDC_AUDIENCE: optional(nonEmpty(1000)),
  ROWGRAPH_OIDC_USERNAME_CLAIM: optional(claim),
  ROWGRAPH_OIDC_ROLES_CLAIM: optional(claim),
  ROWGRAPH_OIDC_PROVISION: optional(onOff),
  ROWGRAPH_OIDC_CLIENT_ID: optional(claim),
  ROWGRAPH_OIDC_SCOPE: optional(nonEmpty(1000)),
};

/** The accepted issuer and audience, and the handling of unknown users. */
export interface OidcSettings extends TokenRules {
  /** Whether unknown identities become users. */
  readonly provisions: boolean;
  /** Null: the console asks for a token. */
  readonly login: ProviderLogin | null;
}

/** Combines the variables; null in another identity mode. Left: the problems. */
export const oidcSettings = (
  env: FieldsOf<typeof oidcVariables>,
  isWanted: boolean,
): Either<readonly string[], OidcSettings | null> => {
  if (!isWanted) {
    const advice = 'has no effect without ROWGRAPH_IDENTITY_MODE=oidc; remove it, or choose that mode';
    return unusedVariables(env, Object.keys(oidcVariables), advice);
  }
  const { ROWGRAPH_OIDC_ISSUER: issuer, ROWGRAPH_OIDC_AUDIENCE: audience } = env;
  if (issuer === undefined || audience === undefined) {
    return left(
      failedChecks([
        [
          issuer === undefined,
          'ROWGRAPH_OIDC_ISSUER is required with ROWGRAPH_IDENTITY_MODE=oidc: the address of the identity provider',
        ],
        [
          audience === undefined,
          'ROWGRAPH_OIDC_AUDIENCE is required with ROWGRAPH_IDENTITY_MODE=oidc: tokens for other services must be rejected',
        ],
      ]),
    );
  }
  const { ROWGRAPH_OIDC_CLIENT_ID: client_id, ROWGRAPH_OIDC_SCOPE: scope = 'openid profile email' } = env;
  return right({
    issuer,
    audience,
    usernameClaim: env.ROWGRAPH_OIDC_USERNAME_CLAIM ?? 'preferred_username',
    rolesClaim: env.ROWGRAPH_OIDC_ROLES_CLAIM ?? null,
    provisions: env.ROWGRAPH_OIDC_PROVISION !== 'off',
    login: client_id === undefined ? null : { issuer, audience, client_id, scope },
  });
};
