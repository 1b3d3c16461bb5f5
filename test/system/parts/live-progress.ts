import { signServiceToken } from '../../../adapters/http/internal/service-token';
import { type ApiClient } from '../../support/api-client';
import { openEventStream, type ReceivedEvent } from '../../support/event-stream';
import { createInstance, createMapping, deleteInstance, findInstance } from '../../support/instances';
import { type RunningSystem, TIMEOUT_MS } from '../../support/running-system';
import { townMapping } from '../../support/sample-mappings';
import { waitFor } from '../../support/wait-for';

/** The tests act as the pods, so that they decide when something is reported. */
export const SECRET = 'the tests play the pods with this secret';
const PHASES = ['fetching_mapping', 'downloading', 'checking', 'creating_schema', 'loading_nodes', 'loading_edges'];

/** A part of system-without-pods.test.ts. */
export const liveProgress = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let mapping: number;
  beforeAll(async () => {
    system = shared();
    ada = system.as('ada');
    mapping = await createMapping(ada, townMapping);
  });

  const open = (id: number, lastEventId?: string, username = 'bob') =>
    openEventStream(`${system.url}/api/instances/${id}/progress`, {
      'X-Username': username,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    });

  /** Reads until the stream ends. */
  const readAll = async (id: number, into: ReceivedEvent[]): Promise<ReceivedEvent[]> => {
    for await (const event of await open(id)) into.push(event);
    return into;
  };

  const pod = (id: number) => {
    const token = signServiceToken(SECRET, { kind: 'wrapper', instanceId: id, life: null }, 600);
    const headers = { Authorization: `Bearer ${token}`, 'X-Component': 'wrapper', 'Content-Type': 'application/json' };
    const internal = `http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}/api/internal/instances/${id}`;
    return async (what: string, body: object): Promise<void> => {
      const { status } = await fetch(`${internal}/${what}`, { method: 'PUT', body: JSON.stringify(body), headers });
      expect(status).toBe(200);
    };
  };

  const startingInstance = async (): Promise<number> => {
    const id = await createInstance(ada, mapping);
    await waitFor(
      'the instance is starting',
      async () => (await findInstance(ada, id)).status === 'starting',
      TIMEOUT_MS,
    );
    return id;
  };

  const phaseOf = (event: ReceivedEvent | undefined): unknown =>
    (event?.data as { readonly phase: unknown } | undefined)?.phase;

  describe('live progress', () => {
    it('sends the current state, then each change up to the final one, even to a client that reconnects', async () => {
      const id = await startingInstance();
      const report = pod(id);
      const events: ReceivedEvent[] = [];
      const reading = readAll(id, events);
      await waitFor('an event is received', () => events.length > 0);
      for (const phase of PHASES) {
        await report('progress', { phase, steps: [] });
        await waitFor(`an event with phase ${phase} is received`, () => phaseOf(events.at(-1)) === phase);
      }
      const late = await open(id, events[0]?.id);
      for await (const event of late) {
        expect(event).toMatchObject({ id: 'starting', event: 'progress', data: { phase: PHASES.at(-1) } });
        break;
      }
      late.cut();
      await report('status', { status: 'running', graph_stats: { node_count: 1, edge_count: 0 } });
      await reading;
      expect(events.map(phaseOf).filter((phase, index, all) => phase !== all[index - 1])).toEqual(
        expect.arrayContaining([...PHASES, 'ready']),
      );
      expect(events.at(-1)).toMatchObject({
        id: 'running',
        event: 'done',
        data: { id, status: 'running', phase: 'ready' },
      });
      // A client that has received the final event gets no more.
      expect((await open(id, events.at(-1)?.id)).status).toBe(204);
      await deleteInstance(ada, id);
    });

    it('ends when the instance is deleted', async () => {
      const id = await startingInstance();
      const events: ReceivedEvent[] = [];
      const reading = readAll(id, events);
      await waitFor('an event is received', () => events.length > 0);
      await deleteInstance(ada, id);
      expect((await reading).at(-1)).toMatchObject({ event: 'done', data: { id, status: 'deleted' } });
      expect((await open(id, events[0]?.id)).status).toBe(200);
      expect((await open(id, 'deleted')).status).toBe(204);
      expect((await open(id)).status).toBe(404);
    });

    it('is rejected like any other answer, and is JSON for clients that do not accept events', async () => {
      const id = await startingInstance();
      const url = `${system.url}/api/instances/${id}/progress`;
      const refused = await openEventStream(url, {});
      expect([refused.status, refused.response.headers['content-type']]).toEqual([
        401,
        'application/json; charset=utf-8',
      ]);
      expect((await open(4711)).status).toBe(404);
      expect((await openEventStream(url, { 'X-Username': 'ada', Accept: '*/*' })).response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
      });
      await deleteInstance(ada, id);
    });
  });
};
