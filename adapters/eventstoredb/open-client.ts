import { existsSync, readFileSync } from 'node:fs';
import {
  END,
  type ChannelCredentialOptions,
  type GossipClusterOptions,
  LEADER,
  type ResolvedEvent,
  START,
  type StreamingRead,
  streamNameFilter,
} from '@eventstore/db-client';
import { BatchingClient } from './batching-client';
import { ClusterClient } from './cluster-client';
import { type ConnectionSettings } from './connection-string';
import { type CallWatch, type LogClient, type LogPlace, type LogRecord } from './log-client';

/** What the server tells as the position of an event that it has none for. */
const NO_POSITION = 0xffff_ffff_ffff_ffffn;
const FROM_LEADER = { requiresLeader: true } as const;
/** Seconds: a frozen node among those asked for the leader must not use up the caller's time. */
const GOSSIP_TIMEOUT_S = 1;
/** Rounds of asking the nodes for the leader before a call fails and is made again. */
const DISCOVER_ATTEMPTS = 2;

/**
 * Opens clients of EventStoreDB, which connect with their first call. Throws when a file that the settings name cannot
 * be used.
 */
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
  let isClosed = false;
  // Closing ends the reads under way as if they had come to their end, with nothing or a part of it.
  const whileOpen = async <A>(read: Promise<A>): Promise<A> => {
    const answer = await read;
    if (isClosed) throw new Error('The connection was closed before the server had answered');
    return answer;
  };
  return {
    append: (streamName, expected, events) => client.append(streamName, expected, events),
    readStream: (streamName, { from, direction, maxCount }, watch) => {
      const fromRevision = from === 'start' ? START : from === 'end' ? END : BigInt(from);
      const count = maxCount === undefined ? {} : { maxCount };
      const read = client.readStream(streamName, { ...FROM_LEADER, fromRevision, direction, ...count });
      return whileOpen(collect(read, watch, (record) => record));
    },
    readAll: ({ from, direction, maxCount }, watch, take) => {
      const fromPosition = from === 'start' ? START : from === 'end' ? END : from;
      return whileOpen(collect(client.readAll({ ...FROM_LEADER, fromPosition, direction, maxCount }), watch, take));
    },
    truncateBefore: async (streamName) => {
      const { metadata } = await whileOpen(client.getStreamMetadata(streamName, FROM_LEADER));
      const cut = metadata?.truncateBefore;
      return typeof cut === 'number' ? cut : null;
    },
    listen: async (prefixes, onEvent, signal) => {
      const filter = streamNameFilter({ prefixes: [...prefixes] });
      const events = client.subscribeToAll({ fromPosition: END, filter });
      const cancel = (): void => void events.unsubscribe().catch(() => undefined);
      signal.addEventListener('abort', cancel);
      try {
        await new Promise<void>((resolve, reject) => {
          events
            .on('confirmation', () => onEvent(null))
            .on('end', resolve)
            .on('error', reject);
          events.on('data', ({ event, commitPosition }) =>
            onEvent(event ? toRecord(event, commitPosition).place : null),
          );
        });
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    close: () => {
      isClosed = true;
      return client.close();
    },
  };
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
  // The TLS of Node.js takes anything, and trusts nobody then.
  if (!content.includes('-----BEGIN ')) throw new Error(`${named} is no PEM file`);
  return content;
};

/** What is made of the records of a read, until it ends; a stream that does not exist rejects. */
const collect = <A>(
  read: StreamingRead<ResolvedEvent>,
  { signal, onProgress }: CallWatch,
  take: (record: LogRecord) => A,
): Promise<readonly A[]> =>
  new Promise((resolve, reject) => {
    const taken: A[] = [];
    // Cancelling rejects when the call could not even be made, which is told by 'error' as well.
    const cancel = (): void => void read.cancel().catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    read.on('data', (resolved) => {
      onProgress();
      if (resolved.event !== undefined) taken.push(take(toRecord(resolved.event, resolved.commitPosition)));
    });
    read.on('end', () => resolve(taken));
    read.on('error', reject);
  });

const toRecord = (event: NonNullable<ResolvedEvent['event']>, commit: bigint | undefined): LogRecord => {
  const place = event.position ?? (commit === undefined ? undefined : { commit, prepare: commit });
  const { streamId, id, revision, type, isJson, data, metadata, created } = event;
  return { streamId, id, revision, type, isJson, data, metadata, created, place: known(place) };
};

const known = (place: LogPlace | undefined): LogPlace | null =>
  place === undefined || place.commit === NO_POSITION ? null : place;
