import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import { right } from 'fp-ts/Either';
import { pino } from 'pino';
import { instanceIngress } from '../../adapters/http/ingress/instance-ingress';
import { requestIdMiddleware } from '../../adapters/http/kit';
import { ENDLESS_QUERY } from '../pod/graph/support/endless-query';
import { childrenOf, cpuTicksOf } from '../pod/graph/support/pod-process';
import { openRunningPod, type RunningPod } from '../pod/graph/support/running-pod';
import { waitFor } from '../support/wait-for';

describe.each(['graphdb_a', 'graphdb_b'] as const)('queries that a pod of %s loses', (kind) => {
  let running: RunningPod;
  let ingress: Server;
  let url: string;

  beforeAll(async () => {
    running = await openRunningPod(kind);
    const app = express();
    app.use(requestIdMiddleware);
    const log = pino({ level: 'silent' });
    const { signal: unresponsive } = new AbortController();
    const admit = () => Promise.resolve(right('ada'));
    app.use(
      '/graphs',
      instanceIngress({
        routeOf: () => ({ url: `http://127.0.0.1:${running.pod.port()}`, instanceId: 7, life: 1, unresponsive }),
        sign: () => 'signed',
        admit,
        answerRefusal: (_request, refusal) => refusal,
        limitRequests: () => right(undefined),
        addressOf: () => '192.0.2.7',
        log,
      }),
    );
    ingress = createServer(app);
    await new Promise<void>((resolve) => ingress.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(ingress.address() as AddressInfo).port}/graphs/a-slug/query`;
  });
  afterAll(async () => {
    ingress.closeAllConnections();
    ingress.close();
    await running.close();
  });

  /** The database of graphdb_a runs in the process of the pod. */
  const engine = async (): Promise<number> =>
    kind === 'graphdb_a' ? running.pod.child.pid! : ((await childrenOf(running.pod.child.pid!))[0] ?? 0);
  const ask = (query: string, timeout_ms: number, signal?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, timeout_ms }),
      ...(signal === undefined ? {} : { signal }),
    });
  const untilItRuns = async (): Promise<number> => {
    const pid = await engine();
    const ticks = await cpuTicksOf(pid);
    await waitFor('the query uses CPU time', async () => (await cpuTicksOf(pid)) > ticks + 10);
    return pid;
  };

  test('one whose client closes its connection to the ingress is ended long before its timeout', async () => {
    const client = new AbortController();
    const asked = ask(ENDLESS_QUERY, 45_000, client.signal).catch(() => 'closed');
    const pid = await untilItRuns();
    client.abort();
    expect(await asked).toBe('closed');
    if (kind === 'graphdb_b')
      await waitFor('the engine is restarted', async () => ![pid, 0].includes(await engine()), 30_000);
    expect(await (await ask('RETURN 1 AS one', 20_000)).json()).toMatchObject({ rows: [[1]] });
  });

  test('eight without a client delay the next query by less than its timeout', async () => {
    const client = new AbortController();
    const asked = Array.from({ length: 8 }, () => ask(ENDLESS_QUERY, 45_000, client.signal).catch(() => 'closed'));
    await untilItRuns();
    client.abort();
    expect(await (await ask('RETURN 1 AS one', 20_000)).json()).toMatchObject({ rows: [[1]] });
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 8 }, () => 'closed'));
  });

  if (kind === 'graphdb_b')
    test('one that is lost with the engine, and not answered in its remaining time, may be retried', async () => {
      const asked = ask(ENDLESS_QUERY, 10_000);
      process.kill(await untilItRuns(), 'SIGKILL');
      const answer = await asked;
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      const { detail } = (await answer.json()) as { detail: string };
      expect(detail).toMatch(/^The graph database ended while the query ran \(.*\) and is being started again; send the query again\.$/); // prettier-ignore
    });
});
