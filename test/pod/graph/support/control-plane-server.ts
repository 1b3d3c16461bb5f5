import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { isLeft } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../../adapters/contracts/graph-pod/instance-mapping';
import { type Snapshot } from './snapshot';

/** The key of signed requests to the pod. */
export const REQUEST_KEY = 'the-key';

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  readonly atMs: number;
}

/** A control plane for one test: answers a pod as the contract requires, and records its requests. */
export interface ControlPlaneServer {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  /** Bodies of the status reports so far. */
  readonly statuses: () => readonly Record<string, unknown>[];
  /** Answers with the returned status instead, unless it is null. */
  readonly failWith: (decide: (call: ReceivedCall) => number | null) => void;
  readonly close: () => Promise<void>;
}

export const startControlPlane = async (
  mapping: InstanceMapping | null,
  snapshot?: Snapshot,
): Promise<ControlPlaneServer> => {
  const calls: ReceivedCall[] = [];
  let decide: (call: ReceivedCall) => number | null = () => null;

  const answerOf = async (call: ReceivedCall): Promise<readonly [number, unknown]> => {
    const failure = decide(call);
    if (failure !== null) return [failure, { error: { code: 'TEST', message: 'as the test wants', details: {} } }];
    if (call.path.endsWith('/mapping')) return [200, { data: mapping }];
    if (call.path.endsWith('/request-key')) return [200, { data: { request_key: REQUEST_KEY } }];
    const { pathname, searchParams } = new URL(call.path, 'http://control-plane');
    if (pathname.endsWith('/files') && snapshot !== undefined) {
      const type = searchParams.get('job_type') === 'node' ? 'node' : 'edge';
      const table = { type, name: searchParams.get('name') ?? '' } as const;
      const page = await snapshot.listFiles(table, Number(searchParams.get('after')));
      return isLeft(page) ? [409, { error: { message: page.left.message } }] : [200, { data: page.right }];
    }
    if (call.path.endsWith('/activity')) return [204, undefined];
    if (!call.path.endsWith('/authorize')) return [200, { data: { updated: true } }];
    const username = String(call.headers['x-username']);
    const data = { allowed: username === 'ada', username, role: 'analyst', owner_username: 'ada' };
    return [200, { data }];
  };

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const call: ReceivedCall = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : (JSON.parse(text) as unknown),
        atMs: performance.now(),
      };
      calls.push(call);
      void answerOf(call).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    statuses: () =>
      calls.filter(({ path }) => path.endsWith('/status')).map(({ body }) => body as Record<string, unknown>),
    failWith: (next) => {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
