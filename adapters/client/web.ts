import { fetchTransport } from './fetch-transport';
import { clientsOver } from './clients';

export { type ClientFailure } from './answer';
export { type ApiClient, type InstanceKind, type InstanceOperations } from './clients';
export { type GraphAnswer, readGraphAnswer } from './graph-answer';
export { type Identity, identityHeaders } from './sender';

/** The clients for browsers. */
export const { apiClient, instanceClient } = clientsOver(fetchTransport);
