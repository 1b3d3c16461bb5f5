import { type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import { type Express } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { createHttpServer } from '../http/kit/http-server';
import { startupApi } from '../http/public/startup-api';
import { type ShutdownSteps, type StartFailure } from '../system/shutdown-steps';
import { type Settings, withPorts } from './settings';
import { type Startup } from './startup';

/**
 * Longer than the idle timeout of clients and load balancers (usually a minute): if the server closed first, a request
 * sent at the same time would be lost.
 */
const KEEP_ALIVE_MS = 75_000;

const APIS = ['public', 'internal'] as const;
type Api = (typeof APIS)[number];

type Ports = Pick<Startup, 'settings' | 'chosenPorts' | 'placeholders'>;

/**
 * Serves an API on its port until the system stops; requests in progress are answered first. `listener` precedes the
 * app.
 */
export const listen = async (
  api: Api,
  app: Express,
  { settings, chosenPorts, placeholders, closers }: Ports & Pick<Startup, 'closers'>,
  listener: RequestListener = app,
): Promise<Either<StartFailure, void>> => {
  await placeholders.get(api)?.();
  const server = createHttpServer({ app, listener, keepAliveMs: KEEP_ALIVE_MS });
  const bound = await bind(server, api, settings, chosenPorts);
  if (isLeft(bound)) return bound;
  closers.add(`${api} API`, () => server.drain());
  return right(undefined);
};

/**
 * Answers on the fixed ports until `listen` is called for them: `/health` is 200, everything else 503, and `/ready`
 * lists what the start waits for.
 */
export const listenWhileStarting = async ({
  settings,
  chosenPorts,
  placeholders,
  waitsFor,
  closers,
}: Ports & Pick<Startup, 'waitsFor' | 'closers'>): Promise<Either<StartFailure, void>> => {
  const trouble = () => Object.fromEntries([...waitsFor].map(([what, progress]) => [what, progress()]));
  for (const api of APIS) {
    if (chosenPorts.has(api)) continue;
    const app = startupApi(trouble);
    const server = createHttpServer({ app, listener: app });
    const bound = await bind(server, api, settings);
    if (isLeft(bound)) return bound;
    const end = async (): Promise<void> => {
      if (placeholders.delete(api)) await server.drain();
    };
    placeholders.set(api, end);
    closers.add(`placeholder of the ${api} API`, end);
  }
  return right(undefined);
};

const closed = (server: Server): Promise<unknown> => new Promise((done) => server.close(done));

/** Settings with every port known, and the servers that occupy the ports chosen for port 0. */
export const choosePorts = async (
  settings: Settings,
  closers: ShutdownSteps,
): Promise<Either<StartFailure, Pick<Startup, 'settings' | 'chosenPorts'>>> => {
  const chosenPorts: Startup['chosenPorts'] = new Map();
  const ports = { public: settings.port, internal: settings.internalPort };
  for (const api of APIS) {
    if (ports[api] !== 0) continue;
    const server = createServer((connection) => connection.destroy());
    const bound = await bind(server, api, settings);
    if (isLeft(bound)) return bound;
    closers.add(`port of the ${api} API`, () => closed(server));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error(`The ${api} API has no port.`);
    ports[api] = address.port;
    chosenPorts.set(api, server);
  }
  return right({ settings: withPorts(settings, ports.public, ports.internal), chosenPorts });
};

const bind = (
  server: Server,
  api: Api,
  settings: Settings,
  chosenPorts: Startup['chosenPorts'] = new Map(),
): Promise<Either<StartFailure, void>> => {
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
    const chosen = chosenPorts.get(api);
    chosenPorts.delete(api);
    const listening = (): void => resolve(right(undefined));
    if (chosen === undefined) server.listen(port, host, listening);
    else server.listen(chosen, listening);
  });
};
