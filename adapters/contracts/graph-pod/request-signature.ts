import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs the requests of the control plane to a pod, so that pods answer nothing else. */
export const SIGNATURE_HEADER = 'x-rowgraph-signature';

/** The same header of the answer to a request that is not signed for the pod. */
export const SIGNATURE_REFUSED = 'refused';

/** Names one pod. */
export interface SignedPod {
  readonly instanceId: number;
  readonly life: number;
}

/** Signs requests to a pod: the value of the header. */
export type SignRequests = (pod: SignedPod) => string;

const MINUTE_MS = 60_000;

const hmac = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The key of the requests to one pod. A pod fetches its own with its token, and cannot derive that of another pod. */
export const requestKeyOf = (secret: string, { instanceId, life }: SignedPod): string =>
  hmac(secret, `requests to pod ${instanceId}:${life}`).toString('hex');

/** The value of the header, valid in this minute, the one before and the next one. */
export const signatureOf = (requestKey: string, nowMs: number): string =>
  hmac(requestKey, String(Math.floor(nowMs / MINUTE_MS))).toString('hex');

/** Signs with the keys that a secret leads to. */
export const signRequestsWith =
  (secret: string): SignRequests =>
  (pod) =>
    signatureOf(requestKeyOf(secret, pod), Date.now());

/** Whether a header was signed with the key; the clocks may differ by a minute. */
export const isSigned = (requestKey: string, header: string, nowMs: number): boolean => {
  const given = Buffer.from(header);
  return [0, -MINUTE_MS, MINUTE_MS].some((shiftMs) => {
    const valid = Buffer.from(signatureOf(requestKey, nowMs + shiftMs));
    return given.length === valid.length && timingSafeEqual(given, valid);
  });
};
