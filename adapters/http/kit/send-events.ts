import { once } from 'node:events';
import { type Request, type Response } from 'express';
import { type AnyEndpoint, type EventStream } from './endpoint';
import { STOPPING } from './http-server';

/** Interval of comments that keep proxies from closing an idle connection. */
const HEARTBEAT_MS = 15_000;
/** Reconnection delay for clients after a lost connection. */
const RETRY_MS = 1_000;

/** Whether the client prefers server-sent events. */
export const prefersEvents = (request: Request): boolean =>
  request.method === 'GET' && request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';

/** The same of an endpoint that has events. */
export const wantsEvents = (request: Request, { success }: AnyEndpoint): boolean =>
  success.events !== undefined && prefersEvents(request);

/**
 * Sends events until they end, the client disconnects or the server stops; then the signal of the source aborts. Each
 * event is requested when the client has received the last one. A failing source destroys the connection, so that the
 * client reconnects and does not mistake it for the end.
 */
export const sendEvents = async (
  response: Response,
  events: EventStream,
  onError: (error: unknown) => void,
  heartbeatMs = HEARTBEAT_MS,
): Promise<void> => {
  const ending = new AbortController();
  const { signal } = ending;
  response.on('close', () => ending.abort()).once(STOPPING, () => ending.abort());
  if (response.destroyed) ending.abort();
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-store');
  // Asks proxies not to buffer the events.
  response.setHeader('X-Accel-Buffering', 'no');
  response.write(`retry: ${RETRY_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  try {
    for await (const { id, event, data } of events(signal)) {
      if (signal.aborted) break;
      if (!response.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) {
        await once(response, 'drain', { signal });
      }
    }
    response.end();
  } catch (error) {
    if (!signal.aborted) onError(error);
    response.destroy();
  } finally {
    clearInterval(heartbeat);
  }
};
