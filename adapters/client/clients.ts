import { GRAPHDB_A_ENDPOINTS, GRAPHDB_B_ENDPOINTS } from '../contracts/graph-pod/endpoints';
import { publicEndpoints } from '../http/public/public-endpoints';
import { createSender, type Identity, type Operations, operations, type ResultOf } from './sender';
import { type Transport } from './transport';

export type InstanceProgress = ResultOf<typeof publicEndpoints.getInstanceProgress>;

/** The client of the control plane: each operation of the public API by name, typed by its declaration. */
export type ApiClient = Operations<typeof publicEndpoints>;

const INSTANCE_ENDPOINTS = { graphdb_a: GRAPHDB_A_ENDPOINTS, graphdb_b: GRAPHDB_B_ENDPOINTS };

/** Kinds of graph databases; the API calls them `wrapper_type`. */
export type InstanceKind = keyof typeof INSTANCE_ENDPOINTS;

/** One instance: its status, schema and queries, and the algorithms of its kind. */
export type InstanceOperations<K extends InstanceKind> = Operations<(typeof INSTANCE_ENDPOINTS)[K]>;

/**
 * The clients over a transport. Operations return `right` with the decoded data, or `left` with the failure; they never
 * reject. Writes carry an idempotency key, so that they can be repeated after a lost response.
 */
export const clientsOver = (transport: Transport) => ({
  /** @param url Origin of the API, including a path before `/api` if there is one. */
  apiClient: (url: string, identity: Identity): ApiClient => {
    const baseUrl = `${url.replace(/\/+$/, '')}/api`;
    const repeatable = ({ method }: { readonly method: string }) => method === 'GET' || ('keyed' as const);
    return operations(publicEndpoints, createSender({ transport, baseUrl, identity, repeatable }));
  },
  /** @param instanceUrl The `instance_url` of a running instance. */
  instanceClient: <K extends InstanceKind>(kind: K, instanceUrl: string, identity: Identity): InstanceOperations<K> =>
    operations(
      INSTANCE_ENDPOINTS[kind],
      createSender({
        transport,
        baseUrl: instanceUrl,
        identity,
        // Operations without a required role are read-only.
        repeatable: ({ access }) => access === 'anybody',
      }),
    ),
});
