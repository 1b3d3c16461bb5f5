import { left, right } from 'fp-ts/Either';
import { clientsOver } from './clients';
import { type Transport } from './transport';

/** The transport of browsers. The timeout applies to the whole response. */
const fetchTransport: Transport = async ({ method, url, headers, body, timeoutMs, signal }) => {
  const timeout = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
  const given = signal === undefined ? [] : [signal];
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one]),
  );
  try {
    const response = await fetch(url, {
      method,
      headers: [...sent, ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]])],
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.any([...given, ...timeout]),
    });
    const { status } = response;
    return right({ status, headers: Object.fromEntries(response.headers), text: await response.text() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return left({ kind: 'unreachable', url: url.origin, reason });
  }
};

export { AuditedType } from '../../domain/audited-resource';
export { AuditedRole, EventType } from '../http/public/audit/endpoints';
export { type ClientFailure, refusalOf } from './answer';
export { type ApiClient, type InstanceKind, type InstanceOperations } from './clients';
export {
  exactJson,
  type GraphAnswer,
  type JsonText,
  jsonText,
  type Neighbours,
  readGraphAnswer,
  readNeighbours,
} from './graph-answer';
export { cypherName, nodeOfId } from '../contracts/graph-pod/node-id';
export { type AlgorithmResult, highestFirst, runRowsOf } from './run-rows';
export { type Identity, identityHeaders } from './sender';

/** The clients for browsers. */
export const { apiClient, instanceClient } = clientsOver(fetchTransport);
