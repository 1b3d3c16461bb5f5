import express, { type Express } from 'express';
import { domainError } from '../../../domain/kernel/errors';
import { requestIdMiddleware, sendError } from '../kit';
import { serveGet } from '../kit/router';

/**
 * The responses of both ports while the start waits for a store; `trouble` returns the reasons by store. Every response
 * closes its connection: the API takes over the port, and new connections lead to it.
 */
export const startupApi = (trouble: () => Readonly<Record<string, string>>): Express => {
  const app = express();
  app.use(requestIdMiddleware);
  app.use((_request, response, next) => {
    response.set('Connection', 'close');
    next();
  });
  serveGet(app, '/health', (_request, response) => void response.json({ status: 'healthy' }));
  serveGet(app, '/ready', (_request, response) => {
    response.status(503).json({ status: 'not_ready', trouble: trouble() });
  });
  app.use((_request, response) => {
    const message = 'rowgraph is starting and waits for a store; GET /ready says for which. Try again.';
    sendError(response, domainError('SERVICE_UNAVAILABLE', message));
  });
  return app;
};
