import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { type Express } from 'express';

/**
 * What requests to an Express app and their responses are made of; for `createServer`. Express gives each of them the app's
 * prototype when it comes in, after which V8 finds their properties the slow way, for two thirds of the processor time of a
 * small answer. Here they have it from the start, which leaves Express nothing to change.
 */
export const expressMessages = (app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};
