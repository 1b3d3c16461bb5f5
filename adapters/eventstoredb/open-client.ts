import { existsSync, readFileSync } from 'node:fs';
import {
  type ChannelCredentialOptions,
  type GossipClusterOptions,
  LEADER,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError';
import { type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import * as t from 'io-ts';
import { BatchingClient } from './batching-client';
import { ClusterClient } from './cluster-client';
import { type ConnectionSettings } from './connection-string';
import { type CallWatch, type LogClient, type LogRecord, type StreamQuery } from './log-client';
import { logRequest, streamRequest, subscriptionRequest } from './read-requests';
import { ReceivedRecord } from './received-record';

const LAST = { from: 'end', direction: 'backwards', maxCount: 1 } as const;
const METADATA = t.partial({ $tb: t.number });
/** Seconds: a frozen node must not use up the caller's time when nodes are queried for the leader. */
const GOSSIP_TIMEOUT_S = 1;
/** Rounds of querying the nodes for the leader before a call fails and is retried. */
const DISCOVER_ATTEMPTS = 2;

/** Opens clients of EventStoreDB, which connect with their first call. Throws if a file in the settings is invalid. */
export const clientOpener = (settings: ConnectionSettings): (() => LogClient) => {
  const { tls, tlsCaFile, userCertFile, userKeyFile } = settings;
  const security = {
    insecure: !tls,
    rootCertificate: pemFile('tlsCaFile', tlsCaFile),
    userCertFile: pemFile('userCertFile', userCertFile),
    userKeyFile: pemFile('userKeyFile', userKeyFile),
  };
  return () => logClientOn(createClient(settings, security));
};

const logClientOn = (client: BatchingClient): LogClient => {
  const readStream = (streamName: string, query: StreamQuery, watch: CallWatch): Promise<readonly LogRecord[]> =>
    collect(client.read(streamRequest(streamName, query)), watch, (record) => record);
  return {
    append: (streamName, expected, events) => client.append(streamName, expected, events),
    readStream,
    readAll: (query, watch, take) => collect(client.read(logRequest(query)), watch, take),
    truncateBefore: async (streamName, watch) => {
      const [metadata] = await readStream(`$$${streamName}`, LAST, watch);
      const cut = METADATA.is(metadata?.data) ? metadata.data.$tb : undefined;
      return cut ?? null;
    },
    listen: (prefixes, onEvent, signal) =>
      receive(client.read(subscriptionRequest(prefixes)), signal, (response) => {
        const event = response.getEvent()?.getEvent();
        if (event !== undefined) onEvent(new ReceivedRecord(event).place);
        else if (response.hasConfirmation()) onEvent(null);
      }),
    close: () => client.close(),
  };
};

/** Collects a value per record of a read, until it ends. */
const collect = async <A>(
  call: Promise<ClientReadableStream<ReadResp>>,
  { signal, onProgress }: CallWatch,
  take: (record: LogRecord) => A,
): Promise<readonly A[]> => {
  const taken: A[] = [];
  await receive(call, signal, (response) => {
    onProgress();
    const event = response.getEvent()?.getEvent();
    if (event !== undefined) taken.push(take(new ReceivedRecord(event)));
  });
  return taken;
};

/**
 * Resolves when the server has sent everything; rejects as the library's own reads do, and when the call is cancelled.
 */
const receive = async (
  opening: Promise<ClientReadableStream<ReadResp>>,
  signal: AbortSignal,
  onResponse: (response: ReadResp) => void,
): Promise<void> => {
  const call = await opening;
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    await new Promise<void>((resolve, reject) => {
      call.on('data', (response: ReadResp) => {
        if (response.hasStreamNotFound()) reject(new StreamNotFoundError());
        else onResponse(response);
      });
      call.on('end', resolve);
      call.on('error', (error: ServiceError) => reject(convertToCommandError(error)));
    });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

const createClient = (settings: ConnectionSettings, security: ChannelCredentialOptions): BatchingClient => {
  const { nodes, discover, credentials, connectionName = 'rowgraph' } = settings;
  const { keepAliveInterval, keepAliveTimeout, discoveryInterval } = settings;
  const options = { connectionName, keepAliveInterval, keepAliveTimeout };
  const cluster: Omit<GossipClusterOptions, 'endpoints'> = {
    ...options,
    nodePreference: LEADER,
    gossipTimeout: GOSSIP_TIMEOUT_S,
    maxDiscoverAttempts: DISCOVER_ATTEMPTS,
    discoveryInterval,
  };
  const [first, ...others] = nodes;
  if (first === undefined) throw new Error('A connection to EventStoreDB needs the address of a node');
  if (discover) return new ClusterClient({ discover: first, ...cluster }, security, credentials);
  return others.length > 0
    ? new ClusterClient({ endpoints: [...nodes], ...cluster }, security, credentials)
    : new BatchingClient({ endpoint: first, ...options }, security, credentials);
};

const pemFile = (option: string, path: string | undefined): Buffer | undefined => {
  if (path === undefined) return undefined;
  const named = `The file ${path}, which ${option} of the event store's URL names,`;
  if (!existsSync(path)) throw new Error(`${named} does not exist`);
  const content = readFileSync(path);
  // The TLS of Node.js accepts any content, and then does not trust any certificate.
  if (!content.includes('-----BEGIN ')) throw new Error(`${named} is not a PEM file`);
  return content;
};
