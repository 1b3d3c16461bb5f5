import { connect, createServer, type Socket } from 'node:net';

export interface UnreliableConnection {
  /** The database's address through this connection. */
  readonly connectionString: string;
  /** Cuts the next append before the server gets it. */
  cutBeforeAppend(): void;
  /** Lets the server do the next append and cuts the connection instead of passing on its answer. */
  cutAfterAppend(): void;
  /** After the next cut, no connection succeeds. */
  stayCut(): void;
  close(): Promise<void>;
}

/** A relay between a client and PostgreSQL that cuts the connection on request. */
export const openUnreliableConnection = async (target: string): Promise<UnreliableConnection> => {
  const { hostname, port } = new URL(target);
  let cut: 'never' | 'before' | 'after' = 'never';
  let cutForGood = false;
  let refusing = false;
  const sockets = new Set<Socket>();

  const relay = createServer((client) => {
    sockets.add(client);
    if (refusing) return client.destroy();
    const server = connect(Number(port), hostname);
    sockets.add(server);
    let answerIsLost = false;
    const lose = (): void => {
      refusing = cutForGood;
      client.destroy();
      server.destroy();
    };
    client.on('data', (data) => {
      const isAppend = data.includes('es.append(');
      if (isAppend && cut === 'before') {
        cut = 'never';
        lose();
        return;
      }
      if (isAppend && cut === 'after') {
        cut = 'never';
        answerIsLost = true;
      }
      server.write(data);
    });
    server.on('data', (data) => (answerIsLost ? lose() : client.write(data)));
    for (const socket of [client, server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        server.destroy();
      });
    }
    return undefined;
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port');
  const url = new URL(target);
  url.port = String(address.port);

  return {
    connectionString: url.href,
    cutBeforeAppend: () => (cut = 'before'),
    cutAfterAppend: () => (cut = 'after'),
    stayCut: () => (cutForGood = true),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
};
