import { createServer, type RequestListener } from 'node:http';
import { type Either, left, right } from 'fp-ts/Either';
import { type Closers } from './closers';

/**
 * An idle connection stays open longer than clients and balancers keep theirs (mostly a minute): who closes first must
 * not be the server, or a request sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000;

/** Answers on a port until the system stops; requests under way are answered first. */
export const listen = (
  name: string,
  app: RequestListener,
  host: string,
  port: number,
  setting: string,
  closers: Closers,
): Promise<Either<{ readonly message: string }, void>> =>
  new Promise((resolve) => {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 5_000 }, app);
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program uses it' : error.message;
      resolve(
        left({ message: `The ${name} cannot listen on ${host}:${port}: ${reason}. Set ${setting} to a free port.` }),
      );
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
