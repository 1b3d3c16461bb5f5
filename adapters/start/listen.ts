import { createServer, type RequestListener, type Server } from 'node:http';
import { type Express } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { createHttpServer } from '../http/kit/http-server';
import { type Settings } from './settings';
import { type Closers, type StartFailure } from '../system/closers';

/**
 * An idle connection stays open longer than clients and balancers keep theirs (mostly a minute): who closes first must
 * not be the server, or a request sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000;

/** Names what an operator sets a host and a port by. */
type SettingPrefix = 'ROWGRAPH' | 'ROWGRAPH_INTERNAL';

/**
 * Serves on a port until the system stops; requests in progress are answered first. `listener` precedes the app. The
 * operator sets the address by `<setting>_HOST` and `<setting>_PORT`.
 */
export const listen = async (
  name: string,
  { app, listener }: { readonly app: Express; readonly listener: RequestListener },
  host: string,
  port: number,
  setting: SettingPrefix,
  closers: Closers,
): Promise<Either<StartFailure, void>> => {
  const server = createHttpServer({ app, listener, keepAliveMs: KEEP_ALIVE_MS });
  const bound = await bind(server, name, host, port, setting);
  if (isLeft(bound)) return bound;
  closers.add(name, () => server.drain());
  return right(undefined);
};

/** Whether both APIs can be served where the settings say; nothing listens there afterwards. */
export const tryPorts = async (settings: Settings): Promise<Either<StartFailure, void>> => {
  const { host, port, internalHost, internalPort } = settings;
  const [first, second] = [createServer(), createServer()];
  const opened = await bind(first, 'public API', host, port, 'ROWGRAPH');
  if (isLeft(opened)) return opened;
  const both = await bind(second, 'internal API', internalHost, internalPort, 'ROWGRAPH_INTERNAL');
  for (const server of isLeft(both) ? [first] : [first, second]) {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
  }
  return both;
};

const bind = (
  server: Server,
  name: string,
  host: string,
  port: number,
  setting: SettingPrefix,
): Promise<Either<StartFailure, void>> =>
  new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `another program uses it. Set ${setting}_PORT to a free port.`
          : `${error.message}. Set ${setting}_HOST to an address of this machine.`;
      resolve(left({ message: `The ${name} cannot listen on ${host}:${port}: ${why}` }));
    });
    server.listen(port, host, () => resolve(right(undefined)));
  });
