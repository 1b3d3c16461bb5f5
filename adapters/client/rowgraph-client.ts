import { GRAPHDB_A_ENDPOINTS } from '../../pod/graph/contract/endpoints';
import { publicEndpoints } from '../http/public/public-endpoints';
import { type Identity } from './identity';
import { operations, type Operations } from './operations';
import { createSender } from './sender';

/** The control plane: every operation of the public API by name, typed by its declaration. */
export type ApiClient = Operations<typeof publicEndpoints>;

/** One instance: its status, schema, queries and algorithms. */
export type InstanceClient = Operations<typeof GRAPHDB_A_ENDPOINTS>;

/**
 * Operations answer values: `right` with the decoded data, `left` with what went wrong; they never reject. Writes carry
 * an idempotency key, so a lost answer is asked for again and nothing is done twice.
 *
 * @param url Origin of the API, with the path before `/api` where there is one.
 */
export const createApiClient = (url: string, identity: Identity): ApiClient =>
  operations(
    publicEndpoints,
    createSender({
      baseUrl: `${url.replace(/\/+$/, '')}/api`,
      identity,
      repeatable: ({ method }) => method === 'GET' || 'keyed',
    }),
  );

/** @param instanceUrl The `instance_url` of a running instance. */
export const createInstanceClient = (instanceUrl: string, identity: Identity): InstanceClient =>
  operations(
    GRAPHDB_A_ENDPOINTS,
    createSender({
      baseUrl: instanceUrl,
      identity,
      // What a pod does for anybody only reads.
      repeatable: ({ access }) => access === 'anybody',
    }),
  );
