import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below the ephemeral ports of kernels, so that a port stays free while its program restarts, and below the ports of
 * embedded databases.
 */
const FIRST_PORT = 10_000;
const BLOCKS = 550;
const BLOCK_SIZE = 20;

const listenOn = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

const isFree = async (port: number): Promise<boolean> => {
  const server = await listenOn(port);
  return server !== null && new Promise((resolve) => server.close(() => resolve(true)));
};

/**
 * The ports of a block. Listening on its first port, as long as this process lives, keeps other tests from using it.
 */
const claimBlock = async (): Promise<number[]> => {
  for (;;) {
    const first = FIRST_PORT + BLOCK_SIZE * randomInt(BLOCKS);
    const guard = await listenOn(first);
    if (guard === null) continue;
    guard.unref();
    return Array.from({ length: BLOCK_SIZE - 1 }, (_, index) => first + 1 + index);
  }
};

let ports: number[] = [];

/** A free port that no other test gets, in this run or another one. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    if (ports.length === 0) ports = await claimBlock();
    const port = ports.shift();
    if (port !== undefined && (await isFree(port))) return port;
  }
};
