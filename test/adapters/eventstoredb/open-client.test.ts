import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { type LogClient } from '../../../adapters/eventstoredb/log-client';
import { clientOpener } from '../../../adapters/eventstoredb/open-client';
import { waitFor } from '../../support/wait-for';

type OpenCall = Pick<ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>, 'emit'>;

/** A node of a cluster that keeps all calls open until they are ended. */
class ScriptedNode {
  readonly calls = new Map<'append' | 'read', OpenCall>();
  /** How often it was asked for the leader. */
  asked = 0;
  /** The port of the node that it says leads; 0: nobody. */
  leader: () => Promise<number> = () => Promise.resolve(this.port);
  port = 0;
  private readonly server = new Server();

  async start(): Promise<void> {
    const read: handleUnaryCall<unknown, ClusterInfo> = (_, reply) => {
      this.asked += 1;
      void this.leader().then((port) => reply(null, clusterLedBy(port)));
    };
    this.server.addService(GossipService, { read });
    this.server.addService(StreamsService, {
      batchAppend: (call: OpenCall) => void this.calls.set('append', call),
      read: (call: OpenCall) => void this.calls.set('read', call),
    });
    this.port = await new Promise((resolve, reject) => {
      this.server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
  }

  end(call: 'append' | 'read'): void {
    this.calls.get(call)?.emit('error', Object.assign(new Error('Server Is Not Ready'), { code: status.UNAVAILABLE }));
    this.calls.delete(call);
  }

  stop(): void {
    this.server.forceShutdown();
  }
}

const clusterLedBy = (port: number): ClusterInfo => {
  const place = new EndPoint().setAddress('127.0.0.1').setPort(port);
  const member = new MemberInfo().setIsAlive(true).setHttpEndPoint(place).setState(MemberInfo.VNodeState.LEADER);
  return new ClusterInfo().setMembersList(port === 0 ? [] : [member]);
};

describe('A client of a cluster', () => {
  const nodes: ScriptedNode[] = [];
  const clients: LogClient[] = [];
  const startNode = async (): Promise<ScriptedNode> => {
    const node = new ScriptedNode();
    await node.start();
    nodes.push(node);
    return node;
  };
  const openClient = (of: readonly ScriptedNode[]): LogClient => {
    const addresses = of.map(({ port }) => ({ address: '127.0.0.1', port }));
    const client = clientOpener({ nodes: addresses, discover: false, tls: false })();
    clients.push(client);
    return client;
  };
  /** Nobody waits for it until later. */
  const append = (client: LogClient): Promise<unknown> => {
    const appending = client.append('thing-1', 'no_stream', []);
    appending.catch(() => undefined);
    return appending;
  };
  afterEach(async () => {
    for (const node of nodes.splice(0)) node.stop();
    await Promise.all(clients.splice(0).map((client) => client.close().catch(() => undefined)));
  });

  it('leaves no rejection behind when a call ends while the leader is looked for in vain', async () => {
    const node = await startNode();
    const client = openClient([node, node]);
    const appending = append(client);
    const watch = { signal: new AbortController().signal, onProgress: () => undefined };
    const reading = client.readStream('thing-1', { from: 'start', direction: 'forwards' }, watch);
    reading.catch(() => undefined);
    await waitFor('both calls have come', () => node.calls.size === 2);

    let nameNobody = (): void => undefined;
    node.leader = () => new Promise((resolve) => (nameNobody = () => resolve(0)));
    const { asked } = node;
    node.end('append');
    await expect(appending).rejects.toThrow('Not Ready');
    const next = append(client);
    await waitFor('the leader is looked for', () => node.asked > asked);
    node.end('read');
    await expect(reading).rejects.toThrow();
    node.leader = () => Promise.resolve(0);
    nameNobody();
    // The rejection that nobody took would fail this test.
    await expect(next).rejects.toThrow('Failed to discover');
  });

  it('does not call a node that others name as the leader and that does not answer', async () => {
    const [frozen, other] = [await startNode(), await startNode()];
    frozen.leader = () => new Promise(() => undefined);
    other.leader = () => Promise.resolve(frozen.port);
    const client = openClient([frozen, other]);
    await expect(append(client)).rejects.toThrow('Failed to discover a leader that answers');

    other.leader = () => Promise.resolve(other.port);
    const appending = append(client);
    await waitFor('the append has come to the new leader', () => other.calls.has('append'));
    other.end('append');
    await expect(appending).rejects.toThrow('Not Ready');
    expect(frozen.calls.size).toBe(0);
  });
});
