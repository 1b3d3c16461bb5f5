import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';
import { type ObjectStore } from '../../domain/ports/object-store';
import { findSnapshotFiles } from '../../queries/snapshot-files';

/** Answers a pod as the control plane would, and allows everything. */
export interface StandInControlPlane {
  readonly url: string;
  readonly close: () => void;
}

export const startStandInControlPlane = async (
  objectStore: ObjectStore,
  mapping: InstanceMapping,
  onStatus: (report: Readonly<Record<string, unknown>>) => void,
): Promise<StandInControlPlane> => {
  const filesOf = async (url: URL) => {
    const folder = `${mapping.storage_path}${url.searchParams.get('job_type')}s/${url.searchParams.get('name')}/`;
    const page = await findSnapshotFiles(objectStore, folder, 0);
    return isLeft(page) ? null : page.right;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const answer = async (): Promise<unknown> => {
      const url = new URL(request.url ?? '', 'http://bench');
      const path = url.pathname;
      if (path.endsWith('/status')) {
        onStatus(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>);
      }
      if (path.endsWith('/activity')) return response.writeHead(204).end();
      const username = String(request.headers['x-username']);
      const allowed = { allowed: true, username, role: 'analyst', owner_username: username };
      const answers = { mapping: () => mapping, authorize: () => allowed, files: () => filesOf(url) };
      const [, asked] = /\/(mapping|authorize|files)$/.exec(path) ?? [];
      const data = asked === undefined ? { updated: true } : await answers[asked as keyof typeof answers]();
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    };
    request.on('end', () => void answer());
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
