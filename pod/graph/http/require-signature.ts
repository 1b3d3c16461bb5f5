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

/** A signature that does not fit may have a newer key, but not more often than this. */
const RENEW_AFTER_MS = 10_000;

/** Fetches the key of the requests to this pod; null if that fails. */
export type FetchRequestKey = () => Promise<string | null>;

/**
 * Refuses requests that the control plane did not sign for this pod: a neighbour, or an address that belonged to another
 * pod. Requests wait for the key. It is fetched again when a signature does not fit: the internal secret may have changed.
 * `fetchKey` is null when no signature is required.
 */
export const requireSignature = (fetchKey: FetchRequestKey | null, nowMs: () => number): RequestHandler => {
  if (fetchKey === null) return (_request, _response, next) => next();
  let key = fetchKey();
  let askedAtMs = nowMs();
  const isValid = async (signature: string): Promise<boolean> => {
    const known = await key;
    if (known !== null && isSigned(known, signature, nowMs())) return true;
    if (nowMs() - askedAtMs < RENEW_AFTER_MS) return false;
    askedAtMs = nowMs();
    const newer = await fetchKey();
    if (newer === null) return false;
    key = Promise.resolve(newer);
    return isSigned(newer, signature, nowMs());
  };
  return async (request, response, next) => {
    const signature = request.get(SIGNATURE_HEADER);
    if (FOR_ALL.has(request.path) || (signature !== undefined && (await isValid(signature)))) return next();
    response.setHeader(SIGNATURE_HEADER, SIGNATURE_REFUSED);
    sendError(response, REFUSED);
  };
};
