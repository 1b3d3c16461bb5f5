import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import * as t from 'io-ts';
import { endpoint, sendPieces } from '../../../../adapters/http/kit';
import { setWarnings } from '../../../../adapters/http/kit/respond';

const PIECE = Buffer.alloc(256 * 1024);
const PIECES = 200;

const large = endpoint('GET /', {
  summary: 'More than sockets hold',
  access: 'anybody',
  success: { status: 200, shape: 'flat', body: t.unknown },
});

describe('an answer in chunks', () => {
  let read = 0;
  let outcome: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  let stalledAfterMs = 60_000;
  const pieces = async function* () {
    try {
      for (read = 0; read < PIECES; read++) yield await Promise.resolve(PIECE);
    } finally {
      hasEnded = true;
    }
  };
  const server = createServer(
    express().get('/', (_, response) => {
      const reply = { body: null, mediaType: 'text/csv' };
      setWarnings(response, ['`-[:é]->` 😀']);
      const sent = sendPieces(response, large, reply, pieces(), stalledAfterMs);
      outcome = sent.catch((error: unknown) => error);
    }),
  );
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  beforeEach(() => {
    hasEnded = false;
    stalledAfterMs = 60_000;
  });

  const ask = async (): Promise<IncomingMessage> => {
    const request = httpRequest({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };

  it('is sent at the speed of the client, and breaks off for a client that stops reading', async () => {
    stalledAfterMs = 300;
    const response = await ask();
    await outcome;
    expect(hasEnded).toBe(true);
    expect(read).toBeLessThan(PIECES / 2);
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
  });

  it('is complete for a client that reads all of it', async () => {
    let bytes = 0;
    const response = await ask();
    expect(JSON.parse(String(response.headers['x-warnings']))).toEqual(['`-[:é]->` 😀']);
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(PIECES * PIECE.length);
  });

  it('is aborted when the client disconnects', async () => {
    (await ask()).destroy();
    await outcome;
    expect(hasEnded).toBe(true);
  });
});
