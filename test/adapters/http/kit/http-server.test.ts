import { once } from 'node:events';
import { type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHttpServer } from '../../../../adapters/http/kit/http-server';
import { rawClient } from '../../../support/raw-client';
import { waitFor } from '../../../support/wait-for';

const MB = 2 ** 20;
const servers: Server[] = [];
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

describe('a connection that sends requests ahead', () => {
  it('gets the answers of 65 requests, in order', async () => {
    const port = await listen((request, response) => {
      setImmediate(() => response.end(`<${request.url?.slice(1)}>`));
    });
    const numbers = Array.from({ length: 65 }, (_, index) => index);
    const client = rawClient(port, numbers.map((number) => get(`/${number}`)).join(''));
    await waitFor('the last answer is there', () => client.received.includes('<64>'));
    client.socket.destroy();

    expect(Array.from(client.received.matchAll(/<(\d+)>/g), ([, number]) => Number(number))).toEqual(numbers);
  });

  it('gets the answers of 5,000 requests of which at most 65 are unanswered', async () => {
    const port = await listen((_request, response) => response.end('<>'));
    const client = rawClient(port);
    for (let answered = 0; answered < 5_000; answered += 50) {
      client.socket.write(get('/').repeat(50));
      await waitFor('they are answered', () => client.received.split('<>').length > answered + 50);
    }
    client.socket.destroy();
  });

  it('is closed with the 66th unanswered request, which is not handled, nor any after it', async () => {
    let handled = 0;
    const port = await listen(() => void (handled += 1));
    const client = rawClient(port, get('/').repeat(20_000));
    await untilClosed(client.socket);

    expect(handled).toBe(65);
  });

  it('is not read on while a body waits for a listener that does not read it', async () => {
    const port = await listen(() => undefined);
    const connected = once(servers.at(-1)!, 'connection');
    const client = rawClient(port, get('/').repeat(32) + post('/', 'x'.repeat(32 * MB)));
    const [connection] = (await connected) as [Socket];
    let read = -1;
    await waitFor('the server reads no more in many turns of the event loop', async () => {
      const before = read;
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
      read = connection.bytesRead;
      return read === before;
    });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(MB);
    client.socket.destroy();
  });

  it('that goes away ends what is under way, also behind the answer that is being sent', async () => {
    const answers: ServerResponse[] = [];
    const ended = new Set<ServerResponse>();
    const port = await listen((_request, response) => {
      answers.push(response);
      response.once('close', () => {
        ended.add(response);
        // A handler that has not noticed yet.
        response.end('late');
      });
    });
    const client = rawClient(port, get('/').repeat(50));
    await waitFor('50 are under way', () => answers.length === 50);
    client.socket.resetAndDestroy();
    await waitFor('all have ended', () => ended.size === 50);
  });
});

describe('a request that does not come to its end', () => {
  const WITHIN_MS = 400;

  it.each([
    ['nothing at all', ''],
    ['half of its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half'],
    ['half of a declared body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
    ['no last chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n'],
  ])('with %s is 408, and its connection closed', async (_words, text) => {
    const port = await listen((request, response) => request.resume().once('end', () => response.end()), WITHIN_MS);
    const client = rawClient(port, text);
    // Bytes that come one by one are no reason to wait for longer.
    const drops = setInterval(() => text.endsWith('X-Half') && client.socket.write('x'), 50);
    await waitFor('the server has ended it', () => client.hasEnded);
    clearInterval(drops);
    expect(client.received).toMatch(/^HTTP\/1.1 408 Request Timeout\r\nConnection: close\r\n/);
    client.socket.end();
    await untilClosed(client.socket);
  });

  it('is another matter than an answer that takes its time', async () => {
    const port = await listen((_request, response) => {
      response.write('begun');
      setTimeout(() => response.end('ended'), 4 * WITHIN_MS);
    }, WITHIN_MS);
    const client = rawClient(port, post('/', 'body'));
    await waitFor('the answer is there', () => client.received.includes('ended'));
    expect(client.received).toMatch(/^HTTP\/1.1 200/);
    client.socket.destroy();
  });
});

describe('a client that ends its side', () => {
  it.each([
    ['after a request', get('/')],
    ['after many', get('/').repeat(50)],
    ['in the middle of a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345'],
  ])('%s leaves no connection behind', async (_words, text) => {
    const port = await listen((_request, response) => setTimeout(() => response.end('late'), 20));
    const client = rawClient(port);
    client.socket.end(text);
    await waitFor('the server has ended its side', () => client.hasEnded);
    await untilClosed(client.socket);
    const [server] = servers;
    await waitFor('nobody is connected', async () => {
      const count = await new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)));
      return count === 0;
    });
  });
});
