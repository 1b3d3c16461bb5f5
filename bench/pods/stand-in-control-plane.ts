import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';

/** Answers a pod as the control plane would and allows everything. */
export interface StandInControlPlane {
  readonly url: string;
  readonly close: () => void;
}

export const startStandInControlPlane = async (
  mapping: InstanceMapping,
  onStatus: (report: Readonly<Record<string, unknown>>) => void,
): Promise<StandInControlPlane> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (path.endsWith('/status')) {
        onStatus(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>);
      }
      if (path.endsWith('/activity')) return response.writeHead(204).end();
      const username = String(request.headers['x-username']);
      const allowed = { allowed: true, username, role: 'analyst', owner_username: username };
      const data = path.endsWith('/mapping') ? mapping : path.endsWith('/authorize') ? allowed : { updated: true };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
