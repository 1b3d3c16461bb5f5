import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createHttpPodClient } from '../../../adapters/http/pods/http-pod-client';

describe('asking a pod for its lock', () => {
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

  const client = (localPort: number | null) =>
    createHttpPodClient({ portOf: () => localPort, log: pino({ level: 'silent' }) });
  const held = {
    lock: { locked: true, holder_username: 'ada', algorithm_name: 'pagerank', execution_id: 'e1' },
  };
  const holder = { holderUsername: 'ada', algorithmName: 'pagerank', executionId: 'e1' };

  it('tells who holds it, asked at its port or below its address', async () => {
    json(held);
    expect(await client(port()).lockOf({ instanceId: 7, urlSlug: 'x', instanceUrl: null })).toEqual(holder);
    const paths: (string | undefined)[] = [];
    answer = (request, response) => {
      paths.push(request.url);
      response.end(JSON.stringify(held));
    };
    const instanceUrl = `http://127.0.0.1:${port()}/x/`;
    expect(await client(null).lockOf({ instanceId: 7, urlSlug: 'x', instanceUrl })).toEqual(holder);
    expect(paths).toEqual(['/x/lock']);
  });

  it('a free lock is none', async () => {
    json({ lock: { locked: false } });
    expect(await client(port()).lockOf({ instanceId: 7, urlSlug: 'x', instanceUrl: null })).toBeNull();
  });

  it.each([
    ['another answer', (_request, response) => response.end('{"locked": true}')],
    ['no JSON', (_request, response) => response.end('locked')],
    ['a redirect', (_request, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    ['no answer within 2 seconds', () => undefined],
  ] as readonly (readonly [string, RequestListener])[])('%s counts as not locked', async (_, listener) => {
    answer = listener;
    expect(await client(port()).lockOf({ instanceId: 7, urlSlug: 'x', instanceUrl: null })).toBeNull();
  });

  it('nobody at the address counts as not locked', async () => {
    const nobody = port();
    server.close();
    expect(await client(nobody).lockOf({ instanceId: 7, urlSlug: 'x', instanceUrl: null })).toBeNull();
    expect(await client(null).lockOf({ instanceId: 7, urlSlug: 'x', instanceUrl: null })).toBeNull();
    server.listen(0, '127.0.0.1');
  });
});
