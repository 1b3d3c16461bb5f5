import { type RequestListener } from 'node:http';
import { isLeft } from 'fp-ts/Either';
import { type EventStore } from '../../domain/ports/event-store';
import { type CatchUp } from '../../projections/catch-up';
import { type Metrics } from './metrics';

/** The same store, whose appends are counted and timed by the kind of their stream. */
export const measuredEventStore = (store: EventStore, metrics: Metrics): EventStore => ({
  ...store,
  append: async (streamId, expected, events) => {
    const stream = streamId.split('-')[0] ?? streamId;
    const stopTimer = metrics.appendSeconds.startTimer({ stream });
    const result = await store.append(streamId, expected, events);
    stopTimer();
    metrics.appends.inc({ stream, outcome: isLeft(result) ? result.left.kind : 'written' });
    if (!isLeft(result)) for (const { type } of events) metrics.events.inc({ type });
    return result;
  },
});

/** The same read models, and how long each request waits for the read models is timed. */
export const measuredCatchUp = (catchUp: CatchUp, metrics: Metrics): CatchUp => ({
  ...catchUp,
  waitFor: async (position, timeoutMs) => {
    const stopTimer = metrics.catchUpSeconds.startTimer();
    const isThere = await catchUp.waitFor(position, timeoutMs);
    stopTimer();
    return isThere;
  },
});

/** The same API, whose answers are counted and timed. */
export const measureRequests =
  (api: 'public' | 'internal', app: RequestListener, metrics: Metrics): RequestListener =>
  (request, response) => {
    const method = request.method ?? '';
    const stopTimer = metrics.requestSeconds.startTimer({ api, method });
    response.once('finish', () => {
      stopTimer();
      metrics.requests.inc({ api, method, status: response.statusCode });
    });
    app(request, response);
  };

/** Answers `GET /metrics`; everything else goes to the API. */
export const serveMetrics =
  (app: RequestListener, metrics: Metrics): RequestListener =>
  (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || request.method !== 'GET') return app(request, response);
    metrics.render().then(
      ({ contentType, text }) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      (error: unknown) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error)),
    );
  };
