import { type RequestHandler } from 'express';
import { sendError } from '../../../adapters/http/kit';
import { isSigned, SIGNATURE_HEADER, SIGNATURE_REFUSED } from '../../../adapters/contracts/graph-pod/request-signature';
import { domainError } from '../../../domain/kernel/errors';

/** What probes ask. */
const FOR_ALL = new Set(['/health', '/ready']);

const REFUSED = domainError(
  'UNAUTHORIZED',
  'This pod only answers requests that the control plane forwards to it; send the request to the instance_url.',
);

/**
 * Refuses requests that the control plane did not sign for this pod: a neighbour, or an address that belonged to another
 * pod. Requests wait for the key; `requestKey` is null when no signature is required.
 */
export const requireSignature =
  (requestKey: Promise<string> | null, nowMs: () => number): RequestHandler =>
  async (request, response, next) => {
    const key = FOR_ALL.has(request.path) ? null : await requestKey;
    if (key === null || isSigned(key, request.get(SIGNATURE_HEADER), nowMs())) return next();
    response.setHeader(SIGNATURE_HEADER, SIGNATURE_REFUSED);
    sendError(response, REFUSED);
  };
