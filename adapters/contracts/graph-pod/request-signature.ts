import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header with the signature of the control plane; pods reject requests without it. */
export const SIGNATURE_HEADER = 'x-rowgraph-signature';

/** Value of the same header in the response to a request that is not signed for the pod. */
export const SIGNATURE_REFUSED = 'refused';

/** Identifies one pod. */
export interface SignedPod {
  readonly instanceId: number;
  readonly life: number;
}

/** What a signature is for, besides the minute. */
export interface SignedRequest {
  readonly method: string;
  /** With the query string, as it is sent. */
  readonly path: string;
  /** Null: an anonymous caller. */
  readonly username: string | null;
}

/** Returns the value of the header for a request to a pod. */
export type SignRequests = (pod: SignedPod, request: SignedRequest) => string;

const MINUTE_MS = 60_000;

const hmac = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * The key for requests to one pod. A pod fetches its own key with its token, and cannot derive the key of another pod.
 */
export const requestKeyOf = (secret: string, { instanceId, life }: SignedPod): string =>
  hmac(secret, `requests to pod ${instanceId}:${life}`).toString('hex');

/** The value of the header, valid in this minute, the one before and the one after. */
export const signatureOf = (requestKey: string, { method, path, username }: SignedRequest, nowMs: number): string =>
  // None of them can contain the separator.
  hmac(requestKey, [Math.floor(nowMs / MINUTE_MS), method, username ?? '', path].join('\n')).toString('hex');

/** Signs with keys derived from a secret. */
export const signRequestsWith =
  (secret: string): SignRequests =>
  (pod, request) =>
    signatureOf(requestKeyOf(secret, pod), request, Date.now());

/** Whether a header was signed with the key; clocks may differ by a minute. */
export const isSigned = (requestKey: string, header: string, request: SignedRequest, nowMs: number): boolean => {
  const given = Buffer.from(header);
  return [0, -MINUTE_MS, MINUTE_MS].some((shiftMs) => {
    const valid = Buffer.from(signatureOf(requestKey, request, nowMs + shiftMs));
    return given.length === valid.length && timingSafeEqual(given, valid);
  });
};
