import { once } from 'node:events';
import { type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHttpServer, type HttpServer, STOP_DEADLINE, STOPPING } from '../../../../adapters/http/kit/http-server';
import { type RawClient, rawClient } from '../../../support/raw-client';
import { waitFor } from '../../../support/wait-for';

const MB = 2 ** 20;
const servers: HttpServer[] = [];
const listen = async (listener: RequestListener, receiveTimeoutMs?: number): Promise<number> => {
  const server = createHttpServer({ app: null, listener, receiveTimeoutMs });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const untilClosed = (socket: Socket): Promise<unknown> => waitFor('the connection is closed', () => socket.closed);

it('an idle connection stays open for longer than clients and load balancers reuse it, as each answer says', async () => {
  const client = rawClient(await listen((_request, response) => response.end('<>')), get('/'));
  await waitFor('the client has received the answer', () => client.received.includes('<>'));
  client.socket.destroy();
  expect(client.received).toContain('Keep-Alive: timeout=75');
});

describe('a connection with pipelined requests', () => {
  it('gets the answers of 65 requests, in order', async () => {
    const port = await listen((request, response) => {
      setImmediate(() => response.end(`<${request.url?.slice(1)}>`));
    });
    const numbers = Array.from({ length: 65 }, (_, index) => index);
    const client = rawClient(port, numbers.map((number) => get(`/${number}`)).join(''));
    await waitFor('the client has received the last answer', () => client.received.includes('<64>'));
    client.socket.destroy();

    expect(Array.from(client.received.matchAll(/<(\d+)>/g), ([, number]) => Number(number))).toEqual(numbers);
  });

  it('gets the answers of 5,000 requests with at most 65 unanswered at a time', async () => {
    const port = await listen((_request, response) => response.end('<>'));
    const client = rawClient(port);
    for (let answered = 0; answered < 5_000; answered += 50) {
      client.socket.write(get('/').repeat(50));
      await waitFor(
        'the client has received 50 more answers',
        () => client.received.split('<>').length > answered + 50,
      );
    }
    client.socket.destroy();
  });

  it('is closed at the 66th unanswered request, and neither that nor a later one is handled', async () => {
    let handled = 0;
    const port = await listen(() => void (handled += 1));
    const client = rawClient(port, get('/').repeat(20_000));
    await untilClosed(client.socket);

    expect(handled).toBe(65);
  });

  it('is not read further while the handler does not read the body', async () => {
    const port = await listen(() => undefined);
    const connected = once(servers.at(-1)!, 'connection');
    const client = rawClient(port, get('/').repeat(32) + post('/', 'x'.repeat(32 * MB)));
    const [connection] = (await connected) as [Socket];
    let read = -1;
    await waitFor('the server has stopped reading', async () => {
      const before = read;
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
      read = connection.bytesRead;
      return read === before;
    });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(MB);
    client.socket.destroy();
  });

  it('aborts its unanswered requests when it is reset, including those queued after the current answer', async () => {
    const answers: ServerResponse[] = [];
    const ended = new Set<ServerResponse>();
    const port = await listen((_request, response) => {
      answers.push(response);
      response.once('close', () => {
        ended.add(response);
        // A handler that does not check whether the connection is still open.
        response.end('late');
      });
    });
    const client = rawClient(port, get('/').repeat(50));
    await waitFor('50 requests are in progress', () => answers.length === 50);
    client.socket.resetAndDestroy();
    await waitFor('all 50 responses are closed', () => ended.size === 50);
  });
});

describe('an incomplete request', () => {
  const WITHIN_MS = 400;

  it.each([
    ['nothing at all', ''],
    ['half of its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half'],
    ['half of a declared body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
    ['no last chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n'],
  ])('a request with %s is answered 408, and its connection is closed', async (_words, text) => {
    const port = await listen((request, response) => request.resume().once('end', () => response.end()), WITHIN_MS);
    const client = rawClient(port, text);
    // Single bytes do not extend the timeout.
    const drops = setInterval(() => text.endsWith('X-Half') && client.socket.write('x'), 50);
    await waitFor('the server has closed its side', () => client.hasEnded);
    clearInterval(drops);
    expect(client.received).toMatch(/^HTTP\/1.1 408 Request Timeout\r\nConnection: close\r\n/);
    client.socket.end();
    await untilClosed(client.socket);
  });

  it('does not include a request whose answer takes long', async () => {
    const port = await listen((_request, response) => {
      response.write('begun');
      setTimeout(() => response.end('ended'), 4 * WITHIN_MS);
    }, WITHIN_MS);
    const client = rawClient(port, post('/', 'body'));
    await waitFor('the client has received the answer', () => client.received.includes('ended'));
    expect(client.received).toMatch(/^HTTP\/1.1 200/);
    client.socket.destroy();
  });
});

describe('a client that half-closes its connection', () => {
  it.each([
    ['after a request', get('/')],
    ['after many', get('/').repeat(50)],
    ['in the middle of a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
  ])('%s leaves no connection behind', async (_words, text) => {
    const port = await listen((_request, response) => setTimeout(() => response.end('late'), 20));
    const client = rawClient(port);
    client.socket.end(text);
    await waitFor('the server has closed its side', () => client.hasEnded);
    await untilClosed(client.socket);
    const [server] = servers;
    await waitFor('no connection is open', async () => {
      const count = await new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)));
      return count === 0;
    });
  });
});

describe('a stopping server', () => {
  const open: ServerResponse[] = [];
  const listener: RequestListener = (_request, response) => void open.push(response);
  const untilOpen = (count: number) => waitFor('the server has received the requests', () => open.length === count);
  const untilEnded = async (client: RawClient) => {
    await waitFor('the connection is closed', () => client.hasEnded || client.error !== null);
    client.socket.destroy();
  };
  const drain = () => servers.at(-1)?.drain();
  beforeEach(() => {
    open.length = 0;
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
  });
  afterEach(() => jest.useRealTimers());

  it('rejects new connections and closes idle ones at once', async () => {
    const port = await listen((_request, response) => response.end('<>'));
    const idle = rawClient(port, get('/'));
    await waitFor('the client has received the answer', () => idle.received.includes('<>'));
    await drain();
    await untilEnded(idle);
    const late = rawClient(port, get('/'));
    await untilEnded(late);
    expect(late.received).toBe('');
  });

  it('answers every request in progress, and closes each connection after its last answer', async () => {
    const port = await listen(listener);
    const clients = [rawClient(port, get('/a') + get('/b')), rawClient(port, get('/c'))];
    await untilOpen(3);
    const drained = drain();
    jest.advanceTimersByTime(9_900);
    open.forEach((response) => response.end('<>'));
    await drained;
    await Promise.all(clients.map(untilEnded));
    expect(clients.map(({ received }) => received.split('<>').length - 1)).toEqual([2, 1]);
    expect(clients.map(({ received }) => received.split('Connection: close').length - 1)).toEqual([1, 1]);
  });

  it('closes the connection of an answer that had already started', async () => {
    const port = await listen((request, response) => {
      response.write('<first>');
      listener(request, response);
    });
    const client = rawClient(port, get('/'));
    await waitFor('the client has received the first part', () => client.received.includes('<first>'));
    const drained = drain();
    open[0]?.end('<last>');
    await nextTurn();
    await waitFor('the client has received the whole answer', () => {
      jest.advanceTimersByTime(100);
      return client.received.includes('<last>') && client.hasEnded;
    });
    client.socket.destroy();
    await drained;
  });

  it('ends event streams at once, warns other requests after 9 s and aborts them after 10 s', async () => {
    const port = await listen(listener);
    const client = rawClient(port, get('/'));
    await untilOpen(1);
    const emitted: string[] = [];
    for (const event of [STOPPING, STOP_DEADLINE]) open[0]?.once(event, () => emitted.push(event));
    const drained = drain();
    expect(emitted).toEqual([STOPPING]);
    jest.advanceTimersByTime(9_000);
    expect(emitted).toEqual([STOPPING, STOP_DEADLINE]);
    expect(client.hasEnded).toBe(false);
    jest.advanceTimersByTime(1_000);
    await drained;
    await untilEnded(client);
  });
});
