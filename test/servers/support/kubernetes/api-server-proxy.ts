import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { createServerCertificates } from '../server-certificates';
import { type KubeApi } from './kube-api';

export interface ProxiedRequest {
  /** Milliseconds of the clock. */
  readonly at: number;
  /** Method and path. */
  readonly what: string;
  /** The status of the answer, 0 without one. */
  status: number;
}

/** A proxy between control planes and the API server that counts requests and breaks connections. */
export interface ApiServerProxy {
  readonly url: string;
  /** PEM of the authority of its certificate. */
  readonly authority: string;
  readonly requests: readonly ProxiedRequest[];
  /** The number of open watches. */
  openWatches(): number;
  /** Resets all connections; new ones are accepted. */
  breakConnections(): void;
  /** Resets all connections and refuses new ones until `resume`. */
  refuse(): void;
  resume(): void;
  close(): void;
}

/** `folder`: for its certificate. Clients need a token: client certificates are not passed on. */
export const startApiServerProxy = async (admin: KubeApi, folder: string): Promise<ApiServerProxy> => {
  const { authorityFile, certificateFile, keyFile } = await createServerCertificates(folder);
  const agent = new Agent({ ca: admin.authority, keepAlive: true });
  const requests: ProxiedRequest[] = [];
  const sockets = new Set<Socket>();
  const watches = new Set<ServerResponse>();
  let isRefusing = false;

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url = '/', headers } = incoming;
    const isWatch = url.includes('watch=true');
    const proxied: ProxiedRequest = {
      at: Date.now(),
      what: `${isWatch ? 'WATCH' : method} ${url.split('?')[0]}`,
      status: 0,
    };
    requests.push(proxied);
    const { host: _host, ...passed } = headers;
    const sent = request(new URL(url, admin.url), { method, headers: passed, agent }, (answer) => {
      proxied.status = answer.statusCode ?? 0;
      if (isWatch && !outgoing.destroyed) watches.add(outgoing);
      outgoing.writeHead(proxied.status, answer.headers).flushHeaders();
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => {
      watches.delete(outgoing);
      sent.destroy();
    });
    incoming.pipe(sent);
  };
  const server = createServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) }, forward);
  server.on('connection', (socket: Socket) => {
    if (isRefusing) return socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakConnections = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: readFileSync(authorityFile, 'utf8'),
    requests,
    openWatches: () => watches.size,
    breakConnections,
    refuse: () => {
      isRefusing = true;
      breakConnections();
    },
    resume: () => (isRefusing = false),
    close: () => {
      server.close();
      breakConnections();
      agent.destroy();
    },
  };
};
