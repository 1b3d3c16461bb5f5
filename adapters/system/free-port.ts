import { createServer } from 'node:net';

/** The wanted port, or another one if it is in use. */
export const freePort = async (wanted: number): Promise<number> =>
  (await tryPort(wanted)) ?? (await tryPort(0)) ?? wanted;

/** A loopback port, or any if 0; null if it is in use. */
export const tryPort = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
