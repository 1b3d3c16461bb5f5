import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Whether a moment has come, by what a client is sending and the bytes that all have sent since `until`. */
export type Moment = (sent: string, bytes: number) => boolean;

/** A proxy to a server that can cut its connections. */
export interface Proxy {
  readonly url: string;
  /** Resolves when the moment has come. */
  until(moment: Moment): Promise<void>;
  /** Ends every connection, and refuses new ones. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export const startProxy = async (target: string): Promise<Proxy> => {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const watches = new Set<(chunk: Buffer) => void>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    client.on('data', (chunk) => watches.forEach((watch) => watch(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    until: (moment) =>
      new Promise((resolve) => {
        let bytes = 0;
        const watch = (chunk: Buffer): void => {
          bytes += chunk.length;
          if (!moment(chunk.toString('latin1'), bytes)) return;
          watches.delete(watch);
          resolve();
        };
        watches.add(watch);
      }),
    cut,
    restore: () => {
      isCut = false;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
