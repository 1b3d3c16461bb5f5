import { fetchTransport } from './fetch-transport';
import { clientsOver } from './clients';

export { type ClientFailure, refusalOf } from './answer';
export { type ApiClient, type InstanceKind, type InstanceOperations } from './clients';
export { type GraphAnswer, type Neighbours, readGraphAnswer, readNeighbours } from './graph-answer';
export { cypherName, nodeOfId } from '../contracts/graph-pod/node-id';
export { type Identity, identityHeaders } from './sender';

/** The clients for browsers. */
export const { apiClient, instanceClient } = clientsOver(fetchTransport);
