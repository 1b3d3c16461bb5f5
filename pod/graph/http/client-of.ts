import { type EndpointRequest } from '../../../adapters/http/kit';
import { type QueryClient } from '../engine/graph-engine';

type Asking = Pick<EndpointRequest<unknown, unknown, unknown, unknown>, 'header' | 'address' | 'gone'>;

/**
 * Whose share of the slots a query takes: that of the user the edge names, else of the address the edge was called from,
 * which it adds at the end of `X-Forwarded-For`, else of the address the pod is called from.
 */
export const clientOf = ({ header, address, gone }: Asking): QueryClient => {
  const username = header('X-Username');
  const forwardedFor = header('X-Forwarded-For')?.split(',').at(-1)?.trim();
  return { name: username === undefined ? `address ${forwardedFor ?? address}` : `user ${username}`, gone };
};
