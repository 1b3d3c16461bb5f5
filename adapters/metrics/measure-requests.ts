import { type RequestListener } from 'node:http';
import { type Metrics } from './metrics';

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
