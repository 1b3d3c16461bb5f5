import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { parseJson } from '../../domain/kernel/codecs';
import { type Identity, identityHeaders } from './sender';

/** Three heartbeats of the server. */
const SILENCE_MS = 45_000;
/** Until the server says otherwise. */
const PAUSE_MS = 1_000;
/** As many connections in a row may bring nothing new. */
const MAX_FRUITLESS = 3;

export interface EventSource<A> {
  readonly url: URL;
  readonly identity: Identity;
  readonly data: t.Decoder<unknown, A>;
  /** Ends the stream when nobody cares any more. */
  readonly signal: AbortSignal;
}

interface Block {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
  readonly retry: string | undefined;
}

/**
 * The data of server-sent events, as they come. A broken connection is taken up again behind the last event. Ends with
 * the event `done`, when the server has no more, and where events cannot be had: it does not say which, so ask for the
 * state afterwards.
 */
export async function* followEvents<A>({ url, identity, data, signal }: EventSource<A>): AsyncGenerator<A> {
  let [lastId, pauseMs, fruitless]: [string | undefined, number, number] = [undefined, PAUSE_MS, 0];
  while (!signal.aborted && fruitless < MAX_FRUITLESS) {
    fruitless += 1;
    const headers = { ...identityHeaders(identity), ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) };
    const stream = await openStream(url, headers, signal);
    if (stream === 'no events') return;
    if (stream !== 'lost') {
      for await (const block of blocksOf(stream, signal)) {
        if (block.retry !== undefined) pauseMs = Number(block.retry) || PAUSE_MS;
        const decoded = block.data === undefined ? null : data.decode(parseJson(block.data));
        if (decoded === null || isLeft(decoded)) continue;
        lastId = block.id ?? lastId;
        fruitless = 0;
        yield decoded.right;
        if (block.event === 'done') return;
      }
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

const openStream = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown> | 'lost' | 'no events'> =>
  new Promise((resolve) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, { agent: false, signal, headers: { Accept: 'text/event-stream', ...headers } });
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error('nothing was heard')));
    request.on('error', () => resolve('lost'));
    request.on('response', (response) => {
      const { statusCode, headers: received } = response;
      if (statusCode === 200 && received['content-type']?.startsWith('text/event-stream') === true) {
        resolve(response.setEncoding('utf8'));
        return;
      }
      response.destroy();
      resolve(statusCode !== undefined && statusCode >= 500 ? 'lost' : 'no events');
    });
    request.end();
  });

/** Ends when the connection does, however that comes about. */
async function* blocksOf(stream: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<Block> {
  let rest = '';
  try {
    for await (const chunk of stream) {
      rest += String(chunk);
      const texts = rest.split('\n\n');
      rest = texts.pop() ?? '';
      for (const text of texts) if (!signal.aborted) yield blockOf(text);
    }
  } catch {
    // Lost: the caller connects again.
  }
}

const blockOf = (text: string): Block => {
  const lines = text.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return { id: field('id'), event: field('event'), data: field('data'), retry: field('retry') };
};
