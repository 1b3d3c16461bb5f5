import { createServer, type RequestListener } from 'node:http';
import { type Express } from 'express';
import { type Either, left, right } from 'fp-ts/Either';
import { expressMessages } from '../http/kit/express-messages';
import { type Closers, type StartFailure } from './startup';

/**
 * An idle connection stays open longer than clients and balancers keep theirs (mostly a minute): who closes first must
 * not be the server, or a request sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Answers on a port until the system stops; requests under way are answered first. `listener` stands before the app. The
 * operator sets the address by `<setting>_HOST` and `<setting>_PORT`.
 */
export const listen = (
  name: string,
  { app, listener }: { readonly app: Express; readonly listener: RequestListener },
  host: string,
  port: number,
  setting: 'ROWGRAPH' | 'ROWGRAPH_INTERNAL',
  closers: Closers,
): Promise<Either<StartFailure, void>> =>
  new Promise((resolve) => {
    const timeouts = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 5_000 };
    const server = createServer({ ...timeouts, ...expressMessages(app) }, listener);
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `another program uses it. Set ${setting}_PORT to a free port.`
          : `${error.message}. Set ${setting}_HOST to an address of this machine.`;
      resolve(left({ message: `The ${name} cannot listen on ${host}:${port}: ${why}` }));
    });
    server.listen(port, host, () => {
      closers.add(name, () => {
        const closed = new Promise((done) => server.close(done));
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 2000).unref();
        return closed;
      });
      resolve(right(undefined));
    });
  });
