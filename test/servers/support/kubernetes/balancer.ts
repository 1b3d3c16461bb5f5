import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several servers, like a Service: connections go in turn to those that accept them. */
export interface Balancer {
  readonly url: string;
  /** The servers to which it forwards connections. */
  targets: readonly { readonly host: string; readonly port: number }[];
  close(): void;
}

export const startBalancer = async (): Promise<Balancer> => {
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    turn += 1;
    const attempt = (count: number): void => {
      const { targets } = balancer;
      const chosen = targets[(turn + count) % targets.length];
      if (count >= targets.length || chosen === undefined) return void socket.destroy();
      const target = connect(chosen);
      let isOpen = false;
      target.on('connect', () => {
        isOpen = true;
        socket.pipe(target).pipe(socket);
      });
      target.on('error', () => (isOpen ? socket.destroy() : attempt(count + 1)));
      socket.on('close', () => target.destroy());
    };
    attempt(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets: [],
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return balancer;
};
