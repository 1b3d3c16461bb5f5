import { GRAPHDB_A_ENDPOINTS, GRAPHDB_B_ENDPOINTS } from '../contracts/graph-pod/endpoints';
import { publicEndpoints } from '../http/public/public-endpoints';
import { followEvents } from './event-stream';
import { exportRows } from './export-rows';
import { createSender, type Identity } from './sender';
import { operations, type Operations, type ResultOf } from './operations';
import { requestTarget } from './exchange';

export type InstanceProgress = ResultOf<typeof publicEndpoints.getInstanceProgress>;

/** The control plane: every operation of the public API by name, typed by its declaration. */
export interface ApiClient extends Operations<typeof publicEndpoints> {
  /**
   * How an instance comes up, as it goes on. Ends when it has come to an end, when events cannot be had, or by the
   * signal: ask for the progress afterwards to know which.
   */
  readonly followInstanceProgress: (id: number, signal: AbortSignal) => AsyncIterable<InstanceProgress>;
}

const INSTANCE_ENDPOINTS = { graphdb_a: GRAPHDB_A_ENDPOINTS, graphdb_b: GRAPHDB_B_ENDPOINTS };

/** Kinds of graph databases; the API calls them `wrapper_type`. */
export type InstanceKind = keyof typeof INSTANCE_ENDPOINTS;

/** One instance: its status, schema and queries, and the algorithms of its kind. */
export type InstanceClient<K extends InstanceKind> = Operations<(typeof INSTANCE_ENDPOINTS)[K]> & {
  readonly exportRows: ReturnType<typeof exportRows>;
};

/**
 * Operations answer values: `right` with the decoded data, `left` with what went wrong; they never reject. Writes carry
 * an idempotency key, so a lost answer is asked for again and nothing is done twice.
 *
 * @param url Origin of the API, with the path before `/api` where there is one.
 */
export const createApiClient = (url: string, identity: Identity): ApiClient => {
  const baseUrl = `${url.replace(/\/+$/, '')}/api`;
  const send = createSender({ baseUrl, identity, repeatable: ({ method }) => method === 'GET' || 'keyed' });
  const progress = publicEndpoints.getInstanceProgress;
  return {
    ...operations(publicEndpoints, send),
    followInstanceProgress: (id, signal) =>
      followEvents({
        url: requestTarget(baseUrl, progress, { id }, {}),
        identity,
        data: progress.success.body,
        signal,
      }),
  };
};

/** @param instanceUrl The `instance_url` of a running instance. */
export const createInstanceClient = <K extends InstanceKind>(
  kind: K,
  instanceUrl: string,
  identity: Identity,
): InstanceClient<K> => ({
  ...operations(
    INSTANCE_ENDPOINTS[kind],
    createSender({
      baseUrl: instanceUrl,
      identity,
      // What a pod does for anybody only reads.
      repeatable: ({ access }) => access === 'anybody',
    }),
  ),
  exportRows: exportRows(instanceUrl, identity),
});
