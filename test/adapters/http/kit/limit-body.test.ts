import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { endAfterRequest } from '../../../../adapters/http/kit/limit-body';
import { rawClient, writeUntil } from '../../../support/raw-client';
import { waitFor } from '../../../support/wait-for';
import { type SampleApi, serveSampleApi } from './served-api';

const PUT = 'PUT /api/things/5 HTTP/1.1\r\nHost: x\r\nX-Role: admin\r\nContent-Type: application/json\r\n';
/** The largest body that the operation accepts. */
const LIMIT = 2000;
const REFUSED = /^HTTP\/1.1 413 .*Connection: close\r\n.*\{"error":\{.*"details":\{"max_bytes":2000\}.*\}$/s;

let api: SampleApi;
beforeAll(async () => {
  api = await serveSampleApi();
});
afterAll(() => api.close());

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('a body over the limit', () => {
  it('is rejected by its declared length before any of it is sent', async () => {
    const client = rawClient(api.port, `${PUT}Content-Length: ${LIMIT + 1}\r\n\r\n`);
    await waitFor('the request is rejected', () => client.received.endsWith('}'));
    expect(client.received).toMatch(REFUSED);
    client.socket.destroy();
  });

  it('is rejected when the limit is exceeded while it is received', async () => {
    const client = rawClient(api.port, `${PUT}Transfer-Encoding: chunked\r\n\r\n${chunk('x'.repeat(LIMIT))}`);
    client.socket.write(chunk('x'));
    await waitFor('the request is rejected', () => client.received.endsWith('}'));
    expect(client.received).toMatch(REFUSED);
    client.socket.destroy();
  });

  it.each([
    ['with a declared length', `Content-Length: ${2 ** 40}\r\n\r\n`, 'x'.repeat(65_536)],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', chunk('x'.repeat(65_536))],
  ])('%s is rejected with an answer that a client can read while it is still sending', async (_words, head, piece) => {
    const client = rawClient(api.port, PUT + head);
    await writeUntil(client, piece, () => client.received.endsWith('}'));
    expect(client.received).toMatch(REFUSED);
    expect(client.error).toBeNull();
    client.socket.end();
    await waitFor('the connection is closed', () => client.hasEnded);
  });

  it('ends its connection as soon as the rest was received', async () => {
    const client = rawClient(api.port, `${PUT}Content-Length: ${LIMIT + 1}\r\n\r\n`);
    await waitFor('the request is rejected', () => client.received.endsWith('}'));
    expect(client.hasEnded).toBe(false);
    client.socket.write('x'.repeat(LIMIT + 1));
    await waitFor('the connection is closed', () => client.hasEnded);
    expect(client.error).toBeNull();
    client.socket.destroy();
  });

  it('is rejected when it exceeds the limit after decompression', async () => {
    const packed = gzipSync('x'.repeat(LIMIT + 1)).toString('latin1');
    const client = rawClient(api.port);
    const head = `${PUT}Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    client.socket.write(head + packed, 'latin1');
    await waitFor('the request is rejected', () => client.received.endsWith('}'));
    expect(client.received).toMatch(/^HTTP\/1.1 413 .*"max_bytes":2000/s);
    client.socket.destroy();
  });

  it.each([
    ['a declared length', (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
    ['chunks', (body: string) => `Transfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\n\r\n`],
  ])('has at least one byte more than an accepted body (%s)', async (_words, framed) => {
    const body = `{"name":"x","filler":"${'y'.repeat(LIMIT - 24)}"}`;
    expect(body).toHaveLength(LIMIT);
    const client = rawClient(api.port, PUT + framed(body));
    await waitFor('the request is answered', () => client.received.includes('\r\n\r\n'));
    expect(client.received).toMatch(/^HTTP\/1.1 200 /);
    client.socket.destroy();
  });
});

describe('an answer sent before the end of its request', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('waits for a client that continues to send, up to a time limit', async () => {
    server = createServer((request, response) => {
      response.setHeader('Connection', 'close');
      response.setHeader('Content-Length', 7);
      response.write('refused');
      endAfterRequest(request, response, 200);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = rawClient(port, `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 40}\r\n\r\n`);
    await writeUntil(client, 'x'.repeat(65_536), () => client.hasEnded);
    expect(client.received).toMatch(/^HTTP\/1.1 200 .*refused$/s);
    client.socket.destroy();
  });
});
