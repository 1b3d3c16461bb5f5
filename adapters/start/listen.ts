import { type RequestListener } from 'node:http';
import { type Server } from 'node:net';
import { type Express } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { createHttpServer } from '../http/kit/http-server';
import { isLoopback, refuseForeignHosts } from '../http/kit/refuse-foreign-hosts';
import { startupApi } from '../http/public/startup-api';
import { type StartFailure } from '../system/shutdown-steps';
import { internalUrl, type Settings, withPorts } from './settings';
import { type Startup } from './startup';

const APIS = ['public', 'internal'] as const;
type Api = (typeof APIS)[number];

/**
 * Serves an API on its port until the system stops; requests in progress are answered first. `listener` precedes the
 * app.
 */
export const listen = async (
  api: Api,
  app: Express,
  { settings, heldPorts, shutdownSteps }: Pick<Startup, 'settings' | 'heldPorts' | 'shutdownSteps'>,
  listener: RequestListener,
): Promise<void> => {
  const guarded = guardHosts(api, settings, listener);
  const server = createHttpServer({ app, listener: guarded });
  await new Promise<void>((listening) => server.listen(heldPorts.get(api), listening));
  shutdownSteps.add(`${api} API`, () => server.drain());
};

/** Without credentials a port on loopback answers only for the names of this machine and of the base URLs. */
export const guardHosts = (api: Api, settings: Settings, listener: RequestListener): RequestListener => {
  const { identityMode, edgeToken, internalHost, baseUrl, instanceBaseUrl } = settings;
  const isOpen = identityMode === 'trusted-edge' && edgeToken === null;
  if (!isOpen || (api === 'internal' && !isLoopback(internalHost))) return listener;
  const urls = [baseUrl, instanceBaseUrl, internalUrl(settings)];
  return refuseForeignHosts(
    urls.map((url) => new URL(url).hostname),
    listener,
  );
};

type Holding = Pick<Startup, 'settings' | 'heldPorts' | 'waitsFor' | 'shutdownSteps'>;

/** Holds the ports that the system chooses, and returns the settings with them. */
export const choosePorts = async (holding: Holding): Promise<Either<StartFailure, Settings>> => {
  const ports = { public: holding.settings.port, internal: holding.settings.internalPort };
  for (const api of APIS) {
    if (ports[api] !== 0) continue;
    const held = await hold(api, holding);
    if (isLeft(held)) return held;
    ports[api] = held.right;
  }
  return right(withPorts(holding.settings, ports.public, ports.internal));
};

/** Holds the fixed ports. */
export const listenWhileStarting = async (holding: Holding): Promise<Either<StartFailure, void>> => {
  for (const api of APIS) {
    const held = holding.heldPorts.has(api) ? right(undefined) : await hold(api, holding);
    if (isLeft(held)) return held;
  }
  return right(undefined);
};

/**
 * Answers on a port until `listen` is called for it: `/health` is 200, everything else 503, and `/ready` lists what the
 * start waits for.
 */
const hold = async (
  api: Api,
  { settings, heldPorts, waitsFor, shutdownSteps }: Holding,
): Promise<Either<StartFailure, number>> => {
  const app = startupApi(() => Object.fromEntries([...waitsFor].map(([what, progress]) => [what, progress()])));
  const server = createHttpServer({ app, listener: guardHosts(api, settings, app) });
  const bound = await bind(server, api, settings);
  if (isLeft(bound)) return bound;
  heldPorts.set(api, server);
  shutdownSteps.add(`port of the ${api} API`, () => server.drain());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`The ${api} API has no port.`);
  return right(address.port);
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
          : error.code === 'EACCES'
            ? `this user may not use the port. Set ${setting}_PORT to one above 1023.`
            : `${error.message}. Set ${setting}_HOST to an address of this machine.`;
      resolve(left({ message: `The ${api} API cannot listen on ${host}:${port}: ${why}` }));
    });
    server.listen(port, host, () => resolve(right(undefined)));
  });
};
