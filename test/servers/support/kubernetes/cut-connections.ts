import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutConnections {
  /** A kubeconfig whose requests go through this relay. */
  readonly kubeconfig: string;
  /** Connections opened so far. */
  opened(): number;
  /** Breaks every open connection. */
  cut(): void;
  /** Refuses and breaks connections until `restore`. */
  takeDown(): void;
  restore(): void;
  close(): Promise<void>;
}

/** The API server behind a relay of bytes that a test can break. */
export const cutConnections = async (url: string, kubeconfig: string, copy: string): Promise<CutConnections> => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let [isDown, count] = [false, 0];
  const server = createServer((near) => {
    if (isDown) return near.destroy();
    count++;
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        sockets.delete(from);
      });
      from.pipe(to);
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  writeFileSync(copy, readFileSync(kubeconfig, 'utf8').replaceAll(url, `https://127.0.0.1:${own}`));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    kubeconfig: copy,
    opened: () => count,
    cut,
    takeDown: () => {
      isDown = true;
      cut();
    },
    restore: () => {
      isDown = false;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
