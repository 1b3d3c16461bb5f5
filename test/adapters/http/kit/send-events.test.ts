import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import { type EventStream } from '../../../../adapters/http/kit';
import { sendEvents } from '../../../../adapters/http/kit/send-events';
import { openEventStream, type ReceivedEvent } from '../../../support/event-stream';
import { waitFor } from '../../../support/wait-for';

describe('a stream of events', () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  const serve = async (source: EventStream) => {
    const troubles: unknown[] = [];
    const app = express();
    app.get('/', (_request, response) => void sendEvents(response, source, (error) => troubles.push(error), 20));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { troubles, open: () => openEventStream(url, {}) };
  };
  const event = (id: number, data: unknown = { id }) => ({ id: String(id), event: 'progress', data });
  const untilGone = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

  it('carries ids, names and data, and ends with its source', async () => {
    const { open } = await serve(async function* () {
      yield* [event(1), await Promise.resolve(event(2, 'line\nbreak'))];
    });
    const stream = await open();
    const received: ReceivedEvent[] = [];
    for await (const one of stream) received.push(one);
    expect(received).toEqual([event(1), event(2, 'line\nbreak')]);
    expect(stream.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  });

  it('sends a heartbeat while it is idle, and aborts its source when the client disconnects', async () => {
    const ended: string[] = [];
    const { open, troubles } = await serve(async function* (signal) {
      try {
        yield event(1);
        await untilGone(signal);
      } finally {
        ended.push('source');
      }
    });
    const stream = await open();
    void (async () => {
      for await (const _ of stream);
    })().catch(() => undefined);
    await waitFor('heartbeats are received', () => stream.text().split(': heartbeat\n\n').length > 2);
    stream.cut();
    await waitFor('the source has ended', () => ended.length === 1);
    expect(troubles).toEqual([]);
  });

  it('waits for a slow client, and releases its source when the client disconnects', async () => {
    let made = 0;
    let hasEnded = false;
    const { open } = await serve(async function* () {
      try {
        for (;;) yield await Promise.resolve(event(++made, 'x'.repeat(100_000)));
      } finally {
        hasEnded = true;
      }
    });
    const stream = await open();
    let seen = -1;
    await waitFor('the source is no longer read', () => {
      const stands = made === seen;
      seen = made;
      return stands && made > 0;
    });
    expect(made).toBeLessThan(500);
    stream.cut();
    await waitFor('the source has ended', () => hasEnded);
  });

  it('breaks off instead of ending normally when its source fails', async () => {
    const received: string[] = [];
    const { open, troubles } = await serve(async function* () {
      yield event(1);
      await waitFor('the client has received the event', () => received.length === 1);
      throw new Error('the store is unavailable');
    });
    const reading = async (): Promise<void> => {
      for await (const { id } of await open()) received.push(id);
    };
    await expect(reading()).rejects.toThrow();
    expect(received).toEqual(['1']);
    expect(troubles).toHaveLength(1);
  });
});
