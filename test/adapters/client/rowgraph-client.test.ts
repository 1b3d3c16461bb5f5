import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { isLeft, isRight } from 'fp-ts/Either';
import { createApiClient, createInstanceClient, type Identity } from '../../../adapters/client';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let url: string;
let answers: Answer[];
let received: IncomingMessage[];

beforeEach(async () => {
  answers = [];
  received = [];
  server = createServer((request, response) => {
    received.push(request);
    request.resume();
    const next = answers.shift() ?? json(500, {});
    request.on('end', () => next(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (status: number, code: string, details: object = {}): Answer =>
  json(status, { error: { code, message: 'No.', details }, meta: { request_id: 'r-7' } }, { 'X-Request-Id': 'r-7' });
const breakOff: Answer = (request) => request.socket.destroy();

const ada: Identity = { kind: 'username', username: 'ada', edgeToken: null };
const created = { id: 1, owner_username: 'ada', name: 'Copy', current_version: 1, created_at: '2026-01-01T00:00:00Z' };
const copied = json(201, { data: created, meta: { request_id: 'r-1' } }, { 'X-Event-Position': '41' });
const copy = { params: { id: 3 }, body: { name: 'Copy' } };
const noMappings = json(200, { data: [], meta: { request_id: 'r-2', total: 0, offset: 0, limit: 50 } });

test('sends an operation to the path of its declaration and decodes the answer', async () => {
  answers = [copied];

  const answer = await createApiClient(`${url}/`, ada).copyMapping(copy);

  expect(answer).toMatchObject({ _tag: 'Right', right: { data: created, requestId: 'r-1', page: null } });
  expect(received[0]).toMatchObject({ method: 'POST', url: '/api/mappings/3/copy' });
  expect(received[0]?.headers).toMatchObject({ 'x-username': 'ada', 'content-type': 'application/json' });
});

test('encodes path and query parameters and omits absent ones', async () => {
  const client = createApiClient(url, ada);
  await client.getUser({ params: { username: 'a/b c' } });
  await client.listMappings({ query: { search: '50 %', created_after: new Date(0) } });

  expect(received.map((request) => request.url)).toEqual([
    '/api/users/a%2Fb%20c',
    '/api/mappings?search=50+%25&created_after=1970-01-01T00%3A00%3A00.000Z',
  ]);
});

test('sends an API key as a bearer token, and the edge token together with the username', async () => {
  await createApiClient(url, { kind: 'key', key: 'secret' }).listMappings();
  await createApiClient(url, { ...ada, edgeToken: 'hop' }).listMappings();

  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer secret' });
  expect(received[0]?.headers).not.toHaveProperty('x-username');
  expect(received[1]?.headers).toMatchObject({ 'x-username': 'ada', 'x-edge-token': 'hop' });
});

test('returns an error answer as a value with code, message, details and request id', async () => {
  answers = [refusal(404, 'RESOURCE_NOT_FOUND', { mapping_id: 3 })];

  expect(await createApiClient(url, ada).copyMapping(copy)).toEqual({
    _tag: 'Left',
    left: {
      kind: 'refused',
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'No.',
      details: { mapping_id: 3 },
      requestId: 'r-7',
    },
  });
});

test('retries a write whose answer was lost, with the same idempotency key', async () => {
  answers = [breakOff, refusal(503, 'SERVICE_UNAVAILABLE'), refusal(409, 'CONFLICT'), copied];

  const answer = await createApiClient(url, ada).copyMapping(copy);

  expect(isRight(answer)).toBe(true);
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('does not retry a refusal in maintenance, nor a conflict on the first attempt', async () => {
  answers = [refusal(503, 'SERVICE_UNAVAILABLE', { maintenance: true }), refusal(409, 'CONFLICT')];
  const client = createApiClient(url, ada);

  expect(await client.copyMapping(copy)).toMatchObject({ left: { status: 503 } });
  expect(await client.copyMapping(copy)).toMatchObject({ left: { status: 409 } });
  expect(received).toHaveLength(2);
});

test('sends the position of the last write with later reads', async () => {
  answers = [noMappings, copied, noMappings];
  const client = createApiClient(url, ada);
  await client.listMappings();
  await client.copyMapping(copy);
  await client.listMappings();

  expect(received.map(({ headers }) => headers['x-min-position'])).toEqual([undefined, undefined, '41']);
});

test('retries queries at an instance, but never starts a second algorithm', async () => {
  const pod = createInstanceClient('graphdb_a', url, ada);
  answers = [breakOff, json(200, { columns: [] })];
  expect(await pod.query({ body: { query: 'RETURN 1' } })).toMatchObject({ right: { data: '{"columns":[]}' } });
  answers = [breakOff];
  const lost = await pod.startAlgorithm({ params: { name: 'pagerank' }, body: {} });

  expect(lost).toMatchObject({ left: { kind: 'unreachable', url } });
  expect(received.map((request) => request.url)).toEqual(['/query', '/query', '/algo/pagerank']);
});

test('distinguishes an unreachable address from an answer that is not from rowgraph', async () => {
  answers = [json(200, { hello: 'world' })];
  const client = createApiClient(url, ada);
  expect(await client.getInstance({ params: { id: 1 } })).toMatchObject({
    left: { kind: 'unreadable', status: 200, excerpt: '{"hello":"world"}' },
  });

  const closed = await createApiClient('http://127.0.0.1:1', ada).listMappings();
  expect(isLeft(closed) && closed.left).toEqual({
    kind: 'unreachable',
    url: 'http://127.0.0.1:1',
    reason: 'connect ECONNREFUSED 127.0.0.1:1',
  });
});

test.each(['.', '..'])('refuses the name %s in a path, which would call another operation', async (name) => {
  const client = createApiClient(url, ada);
  const body = { query: 'RETURN 1' };
  for (const answer of [
    await client.getUser({ params: { username: name } }),
    await client.saveQuery({ params: { id: 1, query_name: name }, body }),
  ]) {
    expect(answer).toMatchObject({ left: { status: 400, message: expect.stringContaining('must not be') as string } });
  }
  expect(received).toEqual([]);
});
