import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError } from '../../../domain/kernel/errors';
import { sameSecret } from '../../system/secret';
import { checkEdgeToken, unauthorized } from './identity';

/** Checks requests that create the first user, because the first one to be accepted gets the role ops. */
export interface FirstUserGate {
  readonly needsToken: boolean;
  admit(request: Request): Either<DomainError, void>;
}

export interface FirstUserGateOptions {
  /** Null without a trusted edge. */
  readonly edgeToken: string | null;
  /** Whether clients reach the system that are not on this machine, or that send API keys. */
  readonly needsBootstrapToken: boolean;
  /** Null: not set. */
  readonly bootstrapToken: string | null;
}

const HEADER = 'X-Bootstrap-Token';

/** The advice of a system without users. */
export const WITH_BOOTSTRAP_TOKEN =
  'The command needs ROWGRAPH_BOOTSTRAP_TOKEN, with the value that the server has; or run rowgraph first-user <username> on the server.';

/** Requires the token of the edge, if there is one, and the bootstrap token where `needsBootstrapToken`. */
export const firstUserGate = (options: FirstUserGateOptions): FirstUserGate => {
  const { edgeToken, needsBootstrapToken, bootstrapToken } = options;
  return {
    needsToken: needsBootstrapToken,
    admit: (request) => {
      const edge = checkEdgeToken(request, edgeToken);
      if (isLeft(edge) || !needsBootstrapToken) return edge;
      if (bootstrapToken !== null && sameSecret(request.get(HEADER) ?? '', bootstrapToken)) return right(undefined);
      const message =
        bootstrapToken === null
          ? 'The first user of this system is created on its server: rowgraph first-user <username>. To create it by a request, set ROWGRAPH_BOOTSTRAP_TOKEN and restart.'
          : `The ${HEADER} header is missing or invalid; send the value of ROWGRAPH_BOOTSTRAP_TOKEN of the server.`;
      return left(unauthorized(message, 'bootstrap_token'));
    },
  };
};
