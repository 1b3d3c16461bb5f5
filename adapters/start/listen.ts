import { createServer, type RequestListener, type Server } from 'node:http';
import { type Express } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { createHttpServer } from '../http/kit/http-server';
import { type StartFailure } from '../system/closers';
import { type Settings } from './settings';
import { type Startup } from './startup';

/**
 * An idle connection stays open longer than clients and balancers keep theirs (mostly a minute): who closes first must
 * not be the server, or a request sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000;

const APIS = ['public', 'internal'] as const;
type Api = (typeof APIS)[number];

/** Serves an API on its port until the system stops; requests in progress are answered first. `listener` precedes the app. */
export const listen = async (
  api: Api,
  app: Express,
  { settings, closers }: Pick<Startup, 'settings' | 'closers'>,
  listener: RequestListener = app,
): Promise<Either<StartFailure, void>> => {
  const server = createHttpServer({ app, listener, keepAliveMs: KEEP_ALIVE_MS });
  const bound = await bind(server, api, settings);
  if (isLeft(bound)) return bound;
  closers.add(`${api} API`, () => server.drain());
  return right(undefined);
};

/** Whether both APIs can be served where the settings say; nothing listens there afterwards. */
export const tryPorts = async (settings: Settings): Promise<Either<StartFailure, void>> => {
  const servers: Server[] = [];
  let bound: Either<StartFailure, void> = right(undefined);
  for (const api of APIS) {
    const server = createServer();
    bound = await bind(server, api, settings);
    if (isLeft(bound)) break;
    servers.push(server);
  }
  for (const server of servers) {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }
  return bound;
};

const bind = (server: Server, api: Api, settings: Settings): Promise<Either<StartFailure, void>> => {
  const [host, port, setting] =
    api === 'public'
      ? [settings.host, settings.port, 'ROWGRAPH']
      : [settings.internalHost, settings.internalPort, 'ROWGRAPH_INTERNAL'];
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `another program uses it. Set ${setting}_PORT to a free port.`
          : `${error.message}. Set ${setting}_HOST to an address of this machine.`;
      resolve(left({ message: `The ${api} API cannot listen on ${host}:${port}: ${why}` }));
    });
    server.listen(port, host, () => resolve(right(undefined)));
  });
};
