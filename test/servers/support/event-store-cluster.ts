import { freePort } from '../../support/running-system';
import { waitFor } from '../../support/wait-for';
import { connectionStringOf, type EventStoreServer, prepareEventStoreServer } from './event-store-server';
import { takesAppends } from './takes-appends';

const ELECTED_WITHIN_MS = 120_000;

export interface EventStoreCluster {
  readonly connectionString: string;
  readonly nodes: readonly EventStoreServer[];
  /** The node that leads by its own word and that of most others; waits for one. */
  leader(): Promise<EventStoreServer>;
  /** Every node runs and knows the leader, and an append goes through. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster on 127.0.0.1 with an elected leader; a node that ends by itself, as after a freeze, is started again. */
export const startEventStoreCluster = async (size: 3): Promise<EventStoreCluster> => {
  const ports: { readonly node: number; readonly replication: number }[] = [];
  for (let i = 0; i < size; i += 1) ports.push({ node: await freePort(), replication: await freePort() });
  const addresses = ports.map(({ node }) => `127.0.0.1:${node}`);
  const nodes = await Promise.all(
    ports.map((own, at) =>
      prepareEventStoreServer({
        ports: own,
        isKeptAlive: true,
        args: [
          `--cluster-size=${size}`,
          '--discover-via-dns=false',
          `--gossip-seed=${addresses.filter((_, other) => other !== at).join(',')}`,
        ],
      }),
    ),
  );
  const connectionString = `${connectionStringOf(addresses.join(','), null)}&nodePreference=leader`;
  const cluster = clusterOf(connectionString, nodes);
  try {
    await Promise.all(nodes.map((node) => node.launch()));
    await cluster.untilWhole();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
};

const clusterOf = (connectionString: string, nodes: readonly EventStoreServer[]): EventStoreCluster => {
  const leaders = (): Promise<readonly (number | null)[]> => Promise.all(nodes.map(leaderBy));
  return {
    connectionString,
    nodes,
    leader: async () => {
      let found: EventStoreServer | undefined;
      const look = async (): Promise<boolean> => {
        const named = await leaders();
        found = nodes.find(
          ({ port }, at) => named[at] === port && named.filter((other) => other === port).length > nodes.length / 2,
        );
        return found !== undefined;
      };
      await waitFor('the cluster has a leader', look, ELECTED_WITHIN_MS);
      if (found === undefined) throw new Error('The cluster has no leader.');
      return found;
    },
    untilWhole: async () => {
      const isWhole = async (): Promise<boolean> => {
        const named = await leaders();
        return named.every((port) => port !== null && port === named[0]) && (await takesAppends(connectionString));
      };
      await waitFor('every node follows one leader', isWhole, ELECTED_WITHIN_MS);
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
};

interface Member {
  readonly state: string;
  readonly isAlive: boolean;
  readonly httpEndPointPort: number;
}

/** The port of the leader a node knows; null when it knows none, is not part of the cluster yet or does not answer. */
const leaderBy = async (node: EventStoreServer): Promise<number | null> => {
  try {
    const answer = await fetch(`${node.httpUrl}/gossip`, { signal: AbortSignal.timeout(1_000) });
    const { members } = (await answer.json()) as { readonly members: readonly Member[] };
    const own = members.find(({ httpEndPointPort }) => httpEndPointPort === node.port);
    if (own === undefined || !['Leader', 'Follower'].includes(own.state)) return null;
    return members.find(({ state, isAlive }) => state === 'Leader' && isAlive)?.httpEndPointPort ?? null;
  } catch {
    return null;
  }
};
