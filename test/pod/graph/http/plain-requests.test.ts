import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { left, right } from 'fp-ts/Either';
import { pino } from 'pino';
import { bind } from '../../../../adapters/http/kit';
import { domainError } from '../../../../domain/kernel/errors';
import { INSTANCE_ENDPOINTS } from '../../../../pod/graph/contract/endpoints';
import { plainRequestsFirst } from '../../../../pod/graph/http/plain-requests';

const { query } = INSTANCE_ENDPOINTS;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('requests served without Express', () => {
  let server: Server;
  let isOpen: boolean;

  beforeEach(async () => {
    isOpen = true;
    const operations = bind(
      { query },
      {
        query: ({ body }: { body: { query: string } }) => {
          if (body.query === 'bug') return Promise.reject(new Error('a bug'));
          if (body.query === 'slow') return Promise.resolve(left(domainError('QUERY_TIMEOUT', 'Too slow.')));
          return Promise.resolve(right({ body: `{"asked":"${body.query}"}` }));
        },
      },
    );
    const listener = plainRequestsFirst({
      operations,
      bases: ['/slug', ''],
      isOpen: () => isOpen,
      otherwise: (request, response) => void text(request).then((body) => response.end(`other: ${body}`)),
      log: pino({ level: 'silent' }),
    });
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const port = (): number => (server.address() as AddressInfo).port;

  const post = async (path: string, body: string, headers: Record<string, string> = JSON_TYPE) => {
    const response = await fetch(`http://127.0.0.1:${port()}${path}`, { method: 'POST', body, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test.each(['/query', '/slug/query'])('a query at %s is answered, with the headers every answer has', async (path) => {
    const answer = await post(path, '{"query":"grüße"}', { ...JSON_TYPE, 'x-request-id': 'mine' });
    expect(answer).toMatchObject({ status: 200, text: '{"asked":"grüße"}' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'mine',
      'x-content-type-options': 'nosniff',
    });
  });

  test('what an operation refuses goes out in the envelope', async () => {
    const { status, text: body } = await post('/query', '{"query":"slow"}');
    expect([status, JSON.parse(body)]).toMatchObject([408, { error: { code: 'QUERY_TIMEOUT', message: 'Too slow.' } }]);
  });

  test('a bug is told with the id of the request', async () => {
    const { status, headers, text: body } = await post('/query', '{"query":"bug"}');
    expect([status, JSON.parse(body)]).toMatchObject([
      500,
      { error: { code: 'INTERNAL_ERROR' }, meta: { request_id: headers.get('x-request-id') } },
    ]);
  });

  test.each([
    ['text that is no JSON', '/query', '{"query":', JSON_TYPE],
    ['a body the declaration does not allow', '/query', '{"query":7}', JSON_TYPE],
    ['another type', '/query', '{"query":"a"}', { 'content-type': 'text/plain' }],
    [
      'a type in another character set',
      '/query',
      '{"query":"a"}',
      { 'content-type': 'application/json; charset=utf-16' },
    ],
    ['compressed text', '/query', '{"query":"a"}', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['another path', '/query/', '{"query":"a"}', JSON_TYPE],
    ['nothing', '/query', '', JSON_TYPE],
  ])('%s goes on as it came', async (_what, path, body, headers) => {
    expect(await post(path, body, headers)).toMatchObject({ text: `other: ${body}` });
  });

  test('a query goes on while there is no graph', async () => {
    isOpen = false;
    expect(await post('/query', '{"query":"a"}')).toMatchObject({ text: 'other: {"query":"a"}' });
  });

  test('a body that comes in pieces goes on as a whole', async () => {
    const socket = connect(port(), '127.0.0.1');
    const arrived = once(server, 'request');
    socket.write(
      'POST /query HTTP/1.1\r\nHost: pod\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"que',
    );
    await arrived;
    await nextTurn();
    socket.write('ry":"a"}');
    expect(await text(socket)).toMatch(/other: \{"query":"a"\}$/);
  });

  test('a connection that is kept takes one after the other, whoever serves it', async () => {
    const bodies = ['{"query":"a"}', '{"query":', '{"query":"b"}'];
    const head = (length: number, more: string) =>
      `POST /query HTTP/1.1\r\nHost: pod\r\n${more}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const socket = connect(port(), '127.0.0.1');
    const requests = bodies.map((body, at) => head(body.length, at === 2 ? 'Connection: close\r\n' : '') + body);
    socket.write(requests.join(''));
    const answers = await text(socket);
    expect([...answers.matchAll(/other: .*?(?=HTTP|$)|\{"asked":.*?\}/gs)].map(([found]) => found.trim())).toEqual([
      '{"asked":"a"}',
      expect.stringContaining('{"query":'),
      '{"asked":"b"}',
    ]);
  });
});
