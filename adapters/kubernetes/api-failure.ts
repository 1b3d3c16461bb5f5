import { type IncomingMessage } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { parseJson } from '../../domain/kernel/codecs';
import { type PodRuntimeError } from '../../domain/ports/pod-runtime';
import { Status } from './api-objects';

/** The failure of a request to the API server. */
export type ApiFailure =
  /** No response, or one that requests a retry. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number | null }
  /** The error response of the server: its status code, reason and message. */
  | { readonly kind: 'refused'; readonly code: number; readonly word: string; readonly message: string };

/** Converts an error response. */
export const failureOf = (answer: Pick<IncomingMessage, 'statusCode' | 'headers'>, body: string): ApiFailure => {
  const code = answer.statusCode ?? 0;
  const decoded = Status.decode(parseJson(body));
  const status = isLeft(decoded) ? {} : decoded.right;
  const message = status.message ?? (body.slice(0, 500) || `HTTP ${code}`);
  if (code === 429 || (code >= 500 && !message.startsWith(UNKNOWN_FIELD))) {
    const seconds = Number(answer.headers['retry-after'] ?? NaN);
    return { kind: 'unavailable', reason: message, retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : null };
  }
  return { kind: 'refused', code, word: status.reason ?? '', message };
};

/** Begins the message about an unknown field in a server-side apply, which is answered with 500. */
const UNKNOWN_FIELD = 'failed to create typed patch object';

/** Whether the server rejected the form of an object: unknown fields, or invalid values. */
export const isInvalidObject = (failure: ApiFailure): failure is Extract<ApiFailure, { kind: 'refused' }> =>
  failure.kind === 'refused' && (failure.code === 422 || failure.message.startsWith(UNKNOWN_FIELD));

const MISSING_PERMISSION =
  /User "([^"]*)" cannot (\S+) resource "([^"]+)" in API group "[^"]*"(?: in the namespace "([^"]+)")?/;

/**
 * The failure as the pod runtime reports it. Failures that an administrator can resolve (permissions, quotas,
 * credentials) are temporary; a pod that the server considers invalid or not admissible is rejected.
 */
export const runtimeErrorOf = (failure: ApiFailure): PodRuntimeError => {
  if (failure.kind === 'unavailable') {
    const { reason, retryAfterMs } = failure;
    const error = { kind: 'unavailable', reason: `the Kubernetes API does not answer: ${reason}` } as const;
    return retryAfterMs === null ? error : { ...error, retryAfterMs };
  }
  const { code, message } = failure;
  const missing = MISSING_PERMISSION.exec(message);
  if (missing !== null) {
    const [, user = '', verb = '', resource = '', namespace] = missing;
    const where = namespace === undefined ? '' : ` in the namespace ${namespace}`;
    return {
      kind: 'unavailable',
      reason: `the Kubernetes account ${user} lacks the permission: verb ${verb}, resource ${resource}${where}; apply deploy/kubernetes/rbac.yaml`,
    };
  }
  const isTemporary =
    [401, 404, 409].includes(code) || /exceeded quota|is being terminated|service account/.test(message);
  return {
    kind: isTemporary ? 'unavailable' : 'rejected',
    reason: `Kubernetes answered ${code}: ${message}${adviceOn(code, message)}`,
  };
};

const adviceOn = (code: number, message: string): string => {
  if (code === 401)
    return '; renew the credentials in the file that KUBECONFIG names, or the service account of this pod';
  if (/^namespaces ".*" not found/.test(message)) return '; create it, or correct ROWGRAPH_KUBERNETES_NAMESPACE';
  return message.includes('looking up service account') ? '; apply deploy/kubernetes/rbac.yaml' : '';
};
