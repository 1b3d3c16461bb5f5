import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createHttpPodClient } from '../../../adapters/http/pods/http-pod-client';

const POD = { instanceId: 7, urlSlug: 'x', reportedUrl: null };

describe('reading the lock of a pod', () => {
  let server: Server;
  let answer: RequestListener;
  const port = () => (server.address() as AddressInfo).port;
  const json = (body: unknown): void => {
    answer = (_request, response) => response.end(JSON.stringify(body));
  };
  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const at = (address: string | null, managesPods = true) =>
    createHttpPodClient({
      podRuntime: {
        managesPods,
        routeOf: () =>
          address === null
            ? null
            : { url: address, instanceId: 7, life: 1, unresponsive: new AbortController().signal },
      },
      sign: ({ instanceId, life }) => `signed for ${instanceId}:${life}`,
      log: pino({ level: 'silent' }),
    });
  const client = (localPort: number) => at(`http://127.0.0.1:${localPort}`);
  const held = {
    lock: { locked: true, holder_username: 'ada', algorithm_name: 'pagerank', execution_id: 'e1' },
  };
  const holder = { holderUsername: 'ada', algorithmName: 'pagerank', executionId: 'e1' };

  it('sends a signed request', async () => {
    const signatures: unknown[] = [];
    answer = (request, response) => {
      signatures.push(request.headers['x-rowgraph-signature']);
      response.end(JSON.stringify(held));
    };
    expect(await client(port()).lockOf(POD)).toEqual(holder);
    expect(signatures).toEqual(['signed for 7:1']);
  });

  it('returns the lock holder, from the port of the pod or below its address', async () => {
    json(held);
    expect(await client(port()).lockOf(POD)).toEqual(holder);
    const paths: (string | undefined)[] = [];
    answer = (request, response) => {
      paths.push(request.url);
      response.end(JSON.stringify(held));
    };
    expect(await at(`http://127.0.0.1:${port()}/x/`).lockOf(POD)).toEqual(holder);
    expect(paths).toEqual(['/x/lock']);
  });

  it('returns no lock when it is free', async () => {
    json({ lock: { locked: false } });
    expect(await client(port()).lockOf(POD)).toBeNull();
  });

  it('works while it runs a query or holds a lock, and may work while it is unreachable', async () => {
    const works = (body: object): Promise<boolean> => {
      json(body);
      return client(port()).isWorking(POD);
    };
    expect(await works(held)).toBe(true);
    expect(await works({ lock: { locked: false }, running_queries: 1 })).toBe(true);
    expect(await works({ lock: { locked: false }, running_queries: 0 })).toBe(false);
    expect(await works({ lock: { locked: false } })).toBe(false);
    expect(await works({})).toBe(true);
    expect(await at(null).isWorking(POD)).toBe(false);
  });

  it.each([
    ['another answer', (_request, response) => response.end('{"locked": true}')],
    ['no JSON', (_request, response) => response.end('locked')],
    ['a redirect', (_request, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    ['no answer within 2 seconds', () => undefined],
  ] as readonly (readonly [string, RequestListener])[])('reports %s as unreachable', async (_, listener) => {
    answer = listener;
    expect(await client(port()).lockOf(POD)).toBe('unreachable');
  });

  it('reports a missing pod as unreachable, and returns no lock without an address or for a pod of an external runner', async () => {
    const closedPort = port();
    server.close();
    expect(await client(closedPort).lockOf(POD)).toBe('unreachable');
    expect(await at(null).lockOf(POD)).toBeNull();
    const elsewhere = { ...POD, reportedUrl: `http://127.0.0.1:${closedPort}` };
    expect(await at(null, false).lockOf(elsewhere)).toBeNull();
    server.listen(0, '127.0.0.1');
  });
});
