import { type Request } from 'express';
import {
  addressBehindEdge,
  apiKeyIdentity,
  followToken,
  type FollowToken,
  type Identify,
  oidcIdentity,
  socketAddress,
  trustedEdge,
} from '../http/identity';
import { issuerKeys } from '../oidc/issuer-keys';
import { tokenVerifier } from '../oidc/verify-token';
import { systemClock } from '../system/system-clock';
import { type Parts } from './parts';

/** How people show who they are, as the settings have it. */
export interface Identity {
  readonly identify: Identify;
  /** Null without an identity provider. */
  readonly follow: FollowToken | null;
  readonly addressOf: (request: Request) => string;
  /** A caller without an identity may still see what is for everyone. */
  readonly allowAnonymous: boolean;
  /** The first user has nothing to call with but an API key. */
  readonly givesFirstKey: boolean;
}

export const openIdentity = ({ settings, log, ports, db, catchUp }: Parts): Identity => {
  const { edgeToken, identityMode, oidc } = settings;
  if (identityMode === 'trusted-edge') {
    const addressOf = addressBehindEdge(edgeToken);
    const allowAnonymous = edgeToken === null;
    return { identify: trustedEdge(edgeToken), follow: null, addressOf, allowAnonymous, givesFirstKey: false };
  }
  const byKey = apiKeyIdentity(db, systemClock);
  const own = { addressOf: socketAddress, allowAnonymous: false };
  if (oidc === null) return { ...own, identify: byKey, follow: null, givesFirstKey: true };
  return {
    ...own,
    identify: oidcIdentity(tokenVerifier(oidc, issuerKeys(oidc.issuer, log), systemClock), byKey, oidc.login),
    follow: followToken({ ports, db, catchUp, provisions: oidc.provisions, log }),
    givesFirstKey: false,
  };
};
