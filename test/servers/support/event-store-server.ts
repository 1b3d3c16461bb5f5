import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreCommand } from '../../../bench/event-store/event-store-command';
import { type ServerProcess, startServerProcess } from '../../../bench/event-store/server-process';
import { freePort } from '../../support/free-port';
import { waitFor } from '../../support/wait-for';
import { createServerCertificates, type ServerCertificates } from './server-certificates';
import { takesAppends } from './takes-appends';

/** The administrator every new server has. */
export const ADMINISTRATOR = { name: 'admin', password: 'changeit' };

const READY_WITHIN_MS = 60_000;

export interface EventStoreServer {
  /** For the administrator if the server requires authentication. */
  readonly connectionString: string;
  readonly httpUrl: string;
  readonly port: number;
  /** Null without TLS. */
  readonly certificates: ServerCertificates | null;
  /** Whether its process is alive. */
  isRunning(): boolean;
  /** Gives access to memory and processor time; null if the server does not run. */
  pid(): number | null;
  /** `kill -9`; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Stops the process, which keeps its connections. */
  freeze(): void;
  thaw(): void;
  /** Starts it with its folder and ports, without waiting; kills it first if it is running. */
  launch(): Promise<void>;
  /** Resolves when an append succeeds. */
  untilReady(): Promise<void>;
  /** `launch` and `untilReady`. */
  restart(): Promise<void>;
  /** Stops it and removes the folder, unless the caller provided the folder. */
  stop(): Promise<void>;
}

export interface EventStoreServerOptions {
  /** TLS with users and its own authority; else `--insecure`. */
  readonly tls?: boolean;
  /** The folder of its data. Default: a new folder. */
  readonly dataDirectory?: string;
  readonly ports?: { readonly node: number; readonly replication: number };
  /** Further options of the server. */
  readonly args?: readonly string[];
  /** Restarts it when it exits unexpectedly, as the members of a cluster require. */
  readonly isKeptAlive?: boolean;
}

/** A single EventStoreDB server on 127.0.0.1 with free ports and its own data, ready for appends. */
export const startEventStoreServer = async (options: EventStoreServerOptions = {}): Promise<EventStoreServer> => {
  const server = await prepareEventStoreServer(options);
  try {
    await server.restart();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/** The same, not yet started. */
export const prepareEventStoreServer = async (options: EventStoreServerOptions): Promise<EventStoreServer> => {
  const command = eventStoreCommand();
  if (command === null) throw new Error('There is no EventStoreDB server: name its command in EVENTSTORED.');
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-eventstored-'));
  const data = options.dataDirectory ?? join(folder, 'data');
  const ports = options.ports ?? { node: await freePort(), replication: await freePort() };
  const certificates = options.tls === true ? await createServerCertificates(join(folder, 'certificates')) : null;
  const args = argumentsOf({ data, log: join(folder, 'log'), ports, certificates, more: options.args ?? [] });
  const address = `127.0.0.1:${ports.node}`;
  const connectionString = connectionStringOf(address, certificates);

  let running: ServerProcess | null = null;
  let isWanted = false;
  const begin = (): void => {
    const started = startServerProcess(command, args);
    running = started;
    void started.ended.then(() => {
      if (running !== started) return;
      running = null;
      if (isWanted && options.isKeptAlive === true) begin();
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isWanted = false;
    const ending: ServerProcess | null = running;
    ending?.signal(signal);
    await ending?.ended;
  };
  const kill = (): Promise<void> => end('SIGKILL');
  const launch = async (): Promise<void> => {
    await kill();
    isWanted = true;
    begin();
  };
  const untilReady = (): Promise<void> => {
    const isReadyOrGone = async () => running === null || (await takesAppends(connectionString));
    return waitFor(`the server at ${address} accepts appends`, isReadyOrGone, READY_WITHIN_MS).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${running?.lastLines() ?? ''}`);
      },
    );
  };
  return {
    connectionString,
    httpUrl: `${certificates === null ? 'http' : 'https'}://${address}`,
    port: ports.node,
    certificates,
    isRunning: () => running !== null,
    pid: () => running?.pid ?? null,
    kill,
    freeze: () => running?.signal('SIGSTOP'),
    thaw: () => running?.signal('SIGCONT'),
    launch,
    untilReady,
    restart: async () => {
      await launch();
      const started: ServerProcess | null = running;
      await untilReady();
      if (running === null) throw new Error(`The server on ${address} has ended:\n${started?.lastLines() ?? ''}`);
    },
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/**
 * The connection string of a server at one or several addresses, for the administrator or another user (null: none).
 */
export const connectionStringOf = (
  addresses: string,
  certificates: ServerCertificates | null,
  user: { readonly name: string; readonly password: string } | null = ADMINISTRATOR,
): string => {
  if (certificates === null) return `esdb://${addresses}?tls=false`;
  const identity = user === null ? '' : `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`;
  return `esdb://${identity}${addresses}?tls=true&tlsCaFile=${certificates.authorityFile}`;
};

const argumentsOf = (wanted: {
  readonly data: string;
  readonly log: string;
  readonly ports: { readonly node: number; readonly replication: number };
  readonly certificates: ServerCertificates | null;
  readonly more: readonly string[];
}): readonly string[] => {
  const { certificates } = wanted;
  const security =
    certificates === null
      ? ['--insecure']
      : [
          `--certificate-file=${certificates.certificateFile}`,
          `--certificate-private-key-file=${certificates.keyFile}`,
          `--trusted-root-certificates-path=${certificates.authorities}`,
        ];
  return [
    ...security,
    '--run-projections=None',
    '--node-ip=127.0.0.1',
    '--replication-ip=127.0.0.1',
    `--node-port=${wanted.ports.node}`,
    `--replication-port=${wanted.ports.replication}`,
    `--db=${wanted.data}`,
    `--log=${wanted.log}`,
    ...wanted.more,
  ];
};
