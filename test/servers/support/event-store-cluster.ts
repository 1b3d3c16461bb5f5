import { freePort } from '../../support/free-port';
import { waitFor } from '../../support/wait-for';
import { connectionStringOf, type EventStoreServer, prepareEventStoreServer } from './event-store-server';
import { takesAppends } from './takes-appends';

const ELECTED_WITHIN_MS = 120_000;

export interface EventStoreCluster {
  readonly connectionString: string;
  readonly nodes: readonly EventStoreServer[];
  /** The node that all others follow; waits until there is one. */
  leader(): Promise<EventStoreServer>;
  /** Waits until there is a leader and an append succeeds. */
  untilWhole(): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster on 127.0.0.1 with an elected leader. A node that exits by itself, as after a freeze, is restarted. */
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
  const leader = async (): Promise<EventStoreServer> => {
    let found: EventStoreServer | undefined;
    const look = async (): Promise<boolean> => {
      const named = await Promise.all(nodes.map((node) => leaderBy(node, nodes.length)));
      found = nodes.find(({ port }) => named.every((other) => other === port));
      return found !== undefined;
    };
    await waitFor('every node follows one leader', look, ELECTED_WITHIN_MS);
    if (found === undefined) throw new Error('The cluster has no leader.');
    return found;
  };
  return {
    connectionString,
    nodes,
    leader,
    untilWhole: async () => {
      await leader();
      await waitFor('the cluster accepts appends', () => takesAppends(connectionString), ELECTED_WITHIN_MS);
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

/**
 * The port of the leader of a node that sees this many members alive, one as the leader and all others as followers;
 * else null. A node that was frozen considers itself the leader for a moment, and then exits.
 */
const leaderBy = async (node: EventStoreServer, size: number): Promise<number | null> => {
  try {
    const answer = await fetch(`${node.httpUrl}/gossip`, { signal: AbortSignal.timeout(1_000) });
    const { members } = (await answer.json()) as { readonly members: readonly Member[] };
    const alive = members.filter(({ isAlive }) => isAlive);
    const leader = alive.find(({ state }) => state === 'Leader');
    const followers = alive.filter(({ state }) => state === 'Follower');
    return followers.length === size - 1 ? (leader?.httpEndPointPort ?? null) : null;
  } catch {
    return null;
  }
};
