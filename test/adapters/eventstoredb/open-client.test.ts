import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { type CallWatch, type LogClient, type LogRecord } from '../../../adapters/eventstoredb/log-client';
import { clientOpener } from '../../../adapters/eventstoredb/open-client';
import { rejectionOf } from '../../../adapters/eventstoredb/rejections';
import { waitFor } from '../../support/wait-for';

type OpenCall = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>;

/** A node that keeps all calls open until they are ended. */
class ScriptedNode {
  readonly calls = new Map<'append' | 'read', OpenCall>();
  /** The answers to a read, after which it ends; null: no answer. */
  answers: readonly ReadResp[] | null = null;
  /** The number of requests for the leader. */
  asked = 0;
  /** The port of the leader that it reports; 0: no leader. */
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
      read: (call: OpenCall) => {
        this.calls.set('read', call);
        for (const answer of this.answers ?? []) call.write(answer);
        if (this.answers !== null) call.end();
      },
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

afterEach(async () => {
  for (const node of nodes.splice(0)) node.stop();
  await Promise.all(clients.splice(0).map((client) => client.close().catch(() => undefined)));
});

describe('a read', () => {
  const FROM_START = { from: 'start', direction: 'forwards' } as const;
  const unwatched: CallWatch = { signal: new AbortController().signal, onProgress: () => undefined };

  /** An answer with an event that rowgraph could have written, except for these parts. */
  const answerWith = ({ data = '{"n":1}', type = 'ThingMade', commit = '2300', contentType = 'application/json' }) => {
    const event = new ReadResp.ReadEvent.RecordedEvent()
      .setId(new UUID().setString('3f0c1f1e-7a43-4a4e-9b7e-6d6d8f6f0a01'))
      .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from('thing-ü')))
      .setStreamRevision('7')
      .setCommitPosition(commit)
      .setPreparePosition(commit)
      .setData(Buffer.from(data))
      .setCustomMetadata(Buffer.from('{"actor":"ada"}'));
    const headers = event.getMetadataMap();
    headers.set('type', type).set('content-type', contentType).set('created', '17000000000001234');
    return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(event));
  };

  it('returns the parts of events as they were written', async () => {
    const node = await startNode();
    node.answers = [
      answerWith({}),
      answerWith({ data: 'no { JSON', type: '', contentType: '', commit: String(2n ** 64n - 1n) }),
    ];
    const [whole, odd] = await openClient([node]).readStream('thing-ü', FROM_START, unwatched);
    expect(partsOf(whole)).toEqual({
      streamId: 'thing-ü',
      id: '3f0c1f1e-7a43-4a4e-9b7e-6d6d8f6f0a01',
      revision: 7n,
      type: 'ThingMade',
      isJson: true,
      data: { n: 1 },
      metadata: { actor: 'ada' },
      created: new Date(1_700_000_000_000),
      place: { commit: 2300n, prepare: 2300n },
    });
    expect(partsOf(odd)).toMatchObject({ type: '', isJson: false, data: undefined, place: null });
  });

  it('a missing stream rejects', async () => {
    const node = await startNode();
    node.answers = [new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound())];
    const reading = openClient([node]).readStream('thing-1', FROM_START, unwatched);
    expect(rejectionOf(await reading.catch((error: unknown) => error))).toEqual({ kind: 'no_stream' });
  });

  it('is cancelled on the server when its caller aborts it', async () => {
    const node = await startNode();
    const ending = new AbortController();
    const reading = openClient([node]).readStream('thing-1', FROM_START, { ...unwatched, signal: ending.signal });
    reading.catch(() => undefined);
    await waitFor('the server has received the read', () => node.calls.has('read'));
    ending.abort();
    await expect(reading).rejects.toThrow('CANCELLED');
    await waitFor('the read is cancelled', () => node.calls.get('read')?.cancelled === true);
  });
});

const partsOf = (record: LogRecord | undefined): Partial<LogRecord> => {
  if (record === undefined) return {};
  const { streamId, id, revision, type, isJson, data, metadata, created, place } = record;
  return { streamId, id, revision, type, isJson, data, metadata, created, place };
};

describe('a client of a cluster', () => {
  /** An append that is awaited later. */
  const append = (client: LogClient): Promise<unknown> => {
    const appending = client.append('thing-1', 'no_stream', []);
    appending.catch(() => undefined);
    return appending;
  };
  /** Repeats a call until a node has received it: on a busy machine a node that answers can miss the time limit. */
  const received = async (node: ScriptedNode, name: 'append' | 'read', call: () => Promise<unknown>) => {
    for (;;) {
      const calling = call();
      const outcome = await Promise.race([
        waitFor(`the node has received the ${name}`, () => node.calls.has(name)).then(() => 'received'),
        calling.catch(() => 'missed'),
      ]);
      if (outcome === 'received') return { calling };
    }
  };
  const rejectionMessage = (call: Promise<unknown>): Promise<string> => call.then(String, String);

  it('leaves no unhandled rejection when a call ends during the search for a leader', async () => {
    const node = await startNode();
    const client = openClient([node, node]);
    const { calling: appending } = await received(node, 'append', () => append(client));
    const watch = { signal: new AbortController().signal, onProgress: () => undefined };
    const { calling: reading } = await received(node, 'read', () => {
      const call = client.readStream('thing-1', { from: 'start', direction: 'forwards' }, watch);
      call.catch(() => undefined);
      return call;
    });

    let nameNobody = (): void => undefined;
    node.leader = () => new Promise((resolve) => (nameNobody = () => resolve(0)));
    const { asked } = node;
    node.end('append');
    await expect(appending).rejects.toThrow('Not Ready');
    const next = append(client);
    await waitFor('the client looks for the leader', () => node.asked > asked);
    node.end('read');
    await expect(reading).rejects.toThrow();
    node.leader = () => Promise.resolve(0);
    nameNobody();
    // An unhandled rejection would fail this test.
    await expect(next).rejects.toThrow('Failed to discover');
  });

  it('does not connect to a leader that other nodes report but that does not answer', async () => {
    const [frozen, other] = [await startNode(), await startNode()];
    frozen.leader = () => new Promise(() => undefined);
    other.leader = () => Promise.resolve(frozen.port);
    const client = openClient([frozen, other]);
    // Where no node answers in time, none is reported.
    await waitFor('the reported leader does not answer', async () =>
      (await rejectionMessage(append(client))).includes('Failed to discover a leader that answers'),
    );

    other.leader = () => Promise.resolve(other.port);
    const { calling: appending } = await received(other, 'append', () => append(client));
    other.end('append');
    await expect(appending).rejects.toThrow('Not Ready');
    expect(frozen.calls.size).toBe(0);
  });
});
