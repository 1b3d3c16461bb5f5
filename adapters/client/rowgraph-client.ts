import { clientsOver, type InstanceKind, type InstanceOperations } from './clients';
import { nodeTransport } from './exchange';
import { exportRows } from './export-rows';
import { type Identity } from './sender';

const { apiClient, instanceClient } = clientsOver(nodeTransport);

/** The client of the public API for Node.js. */
export const createApiClient = apiClient;

/** The client of one instance for Node.js, with exports as streams. */
export type InstanceClient<K extends InstanceKind> = InstanceOperations<K> & {
  readonly exportRows: ReturnType<typeof exportRows>;
};

/** @param instanceUrl The `instance_url` of a running instance. */
export const createInstanceClient = <K extends InstanceKind>(
  kind: K,
  instanceUrl: string,
  identity: Identity,
): InstanceClient<K> => ({
  ...instanceClient(kind, instanceUrl, identity),
  exportRows: exportRows(instanceUrl, identity),
});
