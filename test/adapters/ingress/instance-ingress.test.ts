import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { left, right } from 'fp-ts/Either';
import { pino } from 'pino';
import { type CheckAccess } from '../../../adapters/http/identity';
import { instanceIngress } from '../../../adapters/http/ingress/instance-ingress';
import { requestIdMiddleware } from '../../../adapters/http/kit';
import { createHttpServer } from '../../../adapters/http/kit/http-server';
import { domainError } from '../../../domain/kernel/errors';
import { rawClient, writeUntil } from '../../support/raw-client';
import { waitFor } from '../../support/wait-for';

const servers: Server[] = [];
const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
afterEach(() =>
  Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  ),
);

type Pod = (request: IncomingMessage, response: ServerResponse) => void;
interface Setup {
  readonly port: number;
  readonly url: string;
  readonly pod: Server;
}

/** An ingress with one pod under the slug `a-slug` and a dead one under `dead`. */
const open = async (
  pod: Pod,
  username: string | null = null,
  unresponsive = new AbortController().signal,
  admit: CheckAccess = () => Promise.resolve(right(username)),
  // The limit of a minute is exceeded on a very busy machine.
  receiveTimeoutMs = 3_600_000,
): Promise<Setup> => {
  const podServer = createServer(pod);
  const podPort = await listen(podServer);
  const deadServer = createServer();
  const deadPort = await listen(deadServer);
  await new Promise((resolve) => deadServer.close(resolve));
  const ports = new Map([
    ['a-slug', podPort],
    ['dead', deadPort],
  ]);
  const app = express();
  app.use(requestIdMiddleware);
  app.use(
    '/graphs',
    instanceIngress({
      routeOf: (slug) => {
        const port = ports.get(slug);
        return port === undefined ? null : { url: `http://127.0.0.1:${port}`, instanceId: 7, life: 1, unresponsive };
      },
      sign: ({ instanceId, life }) => `signed for ${instanceId}:${life}`,
      admit,
      answerRefusal: (_request, refusal) => refusal,
      limitRequests: () => right(undefined),
      addressOf: () => '192.0.2.7',
      log: pino({ level: 'silent' }),
    }),
  );
  const port = await listen(createHttpServer({ app, listener: app, receiveTimeoutMs }));
  return { port, url: `http://127.0.0.1:${port}/graphs/a-slug`, pod: podServer };
};

const echo: Pod = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, rawHeaders } = request;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
  });
};
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
const echoOf = async (response: Response): Promise<Echo> => {
  const { rawHeaders, ...rest } = (await response.json()) as Omit<Echo, 'headers'> & { readonly rawHeaders: string[] };
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers[rawHeaders[index]!.toLowerCase()] = rawHeaders[index + 1]!;
  }
  return { ...rest, headers };
};

/** Sends raw bytes and returns everything received until the connection ends. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

describe('the ingress of instances', () => {
  it('signs a request for the pod, whatever signature the client sends', async () => {
    const { url } = await open(echo);
    const headers = { 'X-Rowgraph-Signature': 'forged', X_Rowgraph_Signature: 'forged' };
    const echoed = await echoOf(await fetch(`${url}/query`, { headers }));
    expect(echoed.headers).toMatchObject({ 'x-rowgraph-signature': 'signed for 7:1' });
    expect(JSON.stringify(echoed.headers)).not.toContain('forged');
  });

  it('answers 503 when another pod has the address by now, without the answer of that pod', async () => {
    const { url } = await open((_request, response) => {
      response.writeHead(401, { 'X-Rowgraph-Signature': 'refused' }).end('of another pod');
    });
    const body = new Uint8Array(300_000);
    const answers = [await fetch(`${url}/schema`), await fetch(`${url}/query`, { method: 'POST', body })];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    }
  });

  it('forwards the path after the slug, method, query and body unchanged', async () => {
    const { url } = await open(echo);
    const response = await fetch(`${url}/algo/page%2Frank?a=1&b=%20c`, { method: 'POST', body: '{"ä":1}' });

    expect(await echoOf(response)).toMatchObject({
      method: 'POST',
      url: '/algo/page%2Frank?a=1&b=%20c',
      body: '{"ä":1}',
    });
  });

  it.each([
    ['', '/'],
    ['/', '/'],
    ['?x=1', '/?x=1'],
    ['/status', '/status'],
    ['/status?access_token=rgt_x', '/status'],
    ['?a=1&access_token=rgt_x&b=%20&access_token=', '/?a=1&b=%20'],
    ['//evil.example/x', '//evil.example/x'],
  ])('maps "%s" after the slug to the path %s of the pod', async (rest, path) => {
    const { url } = await open(echo);

    expect((await echoOf(await fetch(`${url}${rest}`))).url).toBe(path);
  });

  it('accepts a request with the origin in its first line', async () => {
    const { port } = await open(echo);
    const head = 'GET http://graphs.example/graphs/a-slug/status?x=/ HTTP/1.1\r\nHost: graphs.example\r\n';

    expect(await exchange(port, `${head}Connection: close\r\n\r\n`)).toContain('"url":"/status?x=/"');
  });

  it('identifies the caller to the pod, whatever the caller claims, and does not forward credentials', async () => {
    const claims = {
      'X-Username': 'root',
      'X-Forwarded-For': '198.51.100.1',
      X_Username: 'root',
      'X-User-Role': 'ops',
      Authorization: 'Bearer key',
      'X-Edge-Token': 'secret',
    };
    const { url } = await open(echo, 'ada');
    const known = await echoOf(await fetch(url, { headers: claims }));
    expect(known.headers['x-username']).toBe('ada');
    expect(known.headers['x-forwarded-for']).toBe('192.0.2.7');

    const stranger = await open(echo);
    const unknown = await echoOf(await fetch(stranger.url, { headers: claims }));
    for (const { headers } of [known, unknown]) {
      expect(JSON.stringify(headers)).not.toMatch(/root|x_username|x-user-role|authorization|edge-token/i);
    }
    expect(unknown.headers['x-username']).toBeUndefined();
  });

  it('forwards the request id to the pod and returns it', async () => {
    const { url } = await open(echo);
    const response = await fetch(url, { headers: { 'X-Request-ID': 'abc-1' } });

    expect(response.headers.get('X-Request-ID')).toBe('abc-1');
    expect((await echoOf(response)).headers['x-request-id']).toBe('abc-1');
    const without = await fetch(url);
    expect((await echoOf(without)).headers['x-request-id']).toBe(without.headers.get('X-Request-ID'));
  });

  it('does not forward hop-by-hop headers', async () => {
    const { port } = await open((request, response) => {
      response.setHeader('Keep-Alive', 'timeout=99');
      response.setHeader('X-Mine', 'kept');
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.statusCode = 418;
      response.end(JSON.stringify(request.headers));
    });
    const answer = await exchange(
      port,
      'GET /graphs/a-slug HTTP/1.1\r\nHost: x\r\nConnection: close, X-Private\r\nX-Private: 1\r\nTE: trailers\r\nX-Public: 2\r\n\r\n',
    );

    expect(answer).toMatch(/^HTTP\/1.1 418 /);
    expect(answer).toContain('X-Mine: kept'.toLowerCase());
    expect(answer).toContain('set-cookie: a=1\r\nset-cookie: b=2');
    expect(answer).not.toContain('timeout=99');
    expect(answer).toContain('"x-public":"2"');
    expect(answer).not.toMatch(/x-private|"te":/);
  });

  it.each(['GET', 'DELETE', 'POST'])('frames a chunked body of a %s for the pod', async (method) => {
    const { port } = await open(echo);
    const head = `${method} /graphs/a-slug/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const smuggled = 'GET /admin HTTP/1.1\r\n\r\n';
    const answer = await exchange(port, `${head}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`);

    expect(answer).toContain(JSON.stringify(smuggled));
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });

  it.each(['GET', 'DELETE', 'POST'])('frames a body of a %s whose length `Connection` names', async (method) => {
    const { port } = await open(echo);
    const head = `${method} /graphs/a-slug/x HTTP/1.1\r\nHost: x\r\nConnection: close, content-length\r\n`;
    const smuggled = 'GET /admin HTTP/1.1\r\n\r\n';
    const answer = await exchange(port, `${head}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`);

    expect(answer).toContain(JSON.stringify(smuggled));
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });

  it('streams an answer while it is produced', async () => {
    let finish = (): void => undefined;
    const { url } = await open((_request, response) => {
      response.write('first');
      finish = () => response.end('last');
    });
    const reader = (await fetch(url)).body!.getReader();

    expect(Buffer.from((await reader.read()).value).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('last');
    expect((await reader.read()).done).toBe(true);
  });

  it('streams a body while it is sent', async () => {
    let received = '';
    const { port } = await open((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.toString()));
      request.on('end', () => response.end());
    });
    const sending = httpRequest({ port, path: '/graphs/a-slug', method: 'POST' });
    const answered = new Promise((resolve) => sending.on('response', resolve));
    sending.write('first');
    await waitFor('the client has received the first part', () => received === 'first');
    sending.end('last');
    await answered;
    expect(received).toBe('firstlast');
  });

  it('answers 404 in the envelope for a slug without a pod', async () => {
    const { port } = await open(echo);
    for (const path of ['/graphs/nobody/query', '/graphs/', '/graphs']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-Request-ID': 'r1' } });

      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        error: { code: 'RESOURCE_NOT_FOUND' },
        meta: { request_id: 'r1' },
      });
    }
  });

  it('answers 503 in the envelope when the pod does not answer', async () => {
    const { port } = await open((request) => request.socket.destroy());
    for (const slug of ['dead', 'a-slug']) {
      const response = await fetch(`http://127.0.0.1:${port}/graphs/${slug}/query`, { method: 'POST', body: '{}' });

      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    }
  });

  it('answers 504 in the envelope when the pod times out, and breaks off an answer that has started', async () => {
    const unresponsive = new AbortController();
    let [arrived, begun] = [false, false];
    const answering: Pod = (request, response) => {
      if (request.url !== '/long') arrived = true;
      else begun = response.write('first');
    };
    const { url } = await open(answering, null, unresponsive.signal);
    const [waiting, long] = [fetch(`${url}/query`, { method: 'POST', body: '{}' }), await fetch(`${url}/long`)];
    await waitFor('the pod has received both requests', () => arrived && begun);
    unresponsive.abort();

    for (const response of [await waiting, await fetch(`${url}/query`)]) {
      expect(response.status).toBe(504);
      expect(await response.json()).toMatchObject({ error: { code: 'GATEWAY_TIMEOUT' } });
    }
    await expect(long.text()).rejects.toThrow();
  });

  it('breaks answers off when the caller loses access, but not while access cannot be checked', async () => {
    const refusal = domainError('RESOURCE_NOT_FOUND', 'No such instance.');
    let lookups = 0;
    let isLetIn = true;
    const admit: CheckAccess = () => {
      lookups += 1;
      if (lookups === 4) return Promise.reject(new Error('The database is unavailable.'));
      return Promise.resolve(isLetIn ? right('ada') : left(refusal));
    };
    let arrived = false;
    const { url } = await open(
      (request, response) => {
        if (request.url === '/long') response.write('first');
        else arrived = true;
      },
      null,
      undefined,
      admit,
    );
    const [waiting, long] = [fetch(`${url}/query`, { method: 'POST', body: '{}' }), await fetch(`${url}/long`)];
    await waitFor('the routes have been looked up again', () => arrived && lookups > 6);
    isLetIn = false;

    expect((await waiting).status).toBe(404);
    expect(await (await waiting).json()).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND' } });
    await expect(long.text()).rejects.toThrow();
    expect((await fetch(`${url}/query`)).status).toBe(404);
  });

  it('breaks an answer off when the pod breaks it off', async () => {
    const { url } = await open((_request, response) => {
      response.setHeader('Content-Length', '100');
      response.write('half');
      setImmediate(() => response.destroy());
    });

    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  });

  it('aborts the request at the pod when the client disconnects', async () => {
    let arrived = false;
    let aborted = false;
    const { url } = await open((_request, response) => {
      arrived = true;
      response.on('close', () => (aborted = !response.writableFinished));
    });
    const client = new AbortController();
    const call = fetch(url, { signal: client.signal }).catch(() => 'aborted');
    await waitFor('the pod has received the request', () => arrived);
    client.abort();

    expect(await call).toBe('aborted');
    await waitFor('the request to the pod is aborted', () => aborted);
  });

  it('reuses its connections to a pod', async () => {
    let connections = 0;
    const { url, pod } = await open(echo);
    pod.on('connection', () => connections++);
    for (let call = 0; call < 20; call++) await (await fetch(url, { method: 'POST', body: 'x' })).text();

    expect(connections).toBeLessThanOrEqual(2);
  });

  it('transfers many large answers and bodies concurrently, byte for byte', async () => {
    const { url } = await open((request, response) => void request.pipe(response));
    const bodies = Array.from({ length: 16 }, (_, index) => Buffer.alloc(1_000_000 + index, index));
    const answers = await Promise.all(
      bodies.map(async (body) =>
        Buffer.from(await (await fetch(url, { method: 'POST', body: new Uint8Array(body) })).arrayBuffer()),
      ),
    );

    expect(answers.every((answer, index) => answer.equals(bodies[index]!))).toBe(true);
  });

  it('forwards an early answer of the pod before the end of the body, and closes the connection', async () => {
    let hasEnded = false;
    const { port } = await open((request, response) => {
      request.resume().on('close', () => (hasEnded = true));
      response.writeHead(413, { Connection: 'close', 'Content-Length': 2 }).write('{}');
    });
    const head = 'POST /graphs/a-slug/query HTTP/1.1\r\nHost: x\r\nContent-Length: 1099511627776\r\n\r\n';
    const client = rawClient(port, head);
    await writeUntil(client, 'x'.repeat(65_536), () => client.received.endsWith('{}'));
    expect(client.received).toMatch(/^HTTP\/1.1 413 .*Connection: close\r\n/s);
    expect(client.error).toBeNull();
    client.socket.end();
    await waitFor('the connections to the client and to the pod are closed', () => client.hasEnded && hasEnded);
  });

  it('aborts an incomplete body, including the request at the pod', async () => {
    let isAborted = false;
    const { port } = await open(
      (request) => void request.resume().on('close', () => (isAborted = !request.complete)),
      undefined,
      undefined,
      undefined,
      1_000,
    );
    const head = 'POST /graphs/a-slug/query HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345';
    let client = rawClient(port, head);
    await waitFor('the connections to the client and to the pod are closed', () => {
      if (!client.hasEnded || isAborted) return client.hasEnded;
      // On a very busy machine the time ends before the request is at the pod.
      client.socket.destroy();
      client = rawClient(port, head);
      return false;
    });
    expect(client.received).toMatch(/^HTTP\/1.1 408 /);
    client.socket.destroy();
  });
});
