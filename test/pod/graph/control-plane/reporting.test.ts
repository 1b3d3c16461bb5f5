import { isRight } from 'fp-ts/Either';
import { InternalApi } from '../../../../pod/control-plane/internal-api';
import { throttleActivity, throttleProgress } from '../../../../pod/graph/control-plane/instance-api';
import { type LoadProgress } from '../../../../pod/graph/loading/load-progress';
import { waitFor } from '../../../support/wait-for';
import { startControlPlane } from '../support/control-plane-server';
import { left } from '../support/loaded-engine';

const state = (phase: LoadProgress['phase'], rows: number): LoadProgress => ({
  phase,
  steps: [{ name: 'Person', type: 'node', status: 'in_progress', row_count: rows }],
});

describe('reporting progress', () => {
  test('sends two reports for a hundred states in quick succession, and the last one is the newest', async () => {
    const sent: LoadProgress[] = [];
    const reporter = throttleProgress((progress) => Promise.resolve(sent.push(progress)));
    reporter.push(state('loading_nodes', 0));
    await waitFor('the first report is sent', () => sent.length === 1);
    for (let rows = 1; rows <= 100; rows++) reporter.push(state('loading_nodes', rows));
    await reporter.flush();
    expect(sent).toEqual([state('loading_nodes', 0), state('loading_nodes', 100)]);
  });

  test('reports even a phase that ended immediately', async () => {
    const sent: LoadProgress[] = [];
    const reporter = throttleProgress((progress) => Promise.resolve(sent.push(progress)));
    reporter.push(state('checking', 1));
    reporter.push(state('creating_schema', 2));
    reporter.push(state('loading_nodes', 3));
    await reporter.flush();
    expect(sent.map(({ phase }) => phase)).toEqual(['checking', 'creating_schema', 'loading_nodes']);
  });

  test('sends reports in order', async () => {
    let inFlight = 0;
    let most = 0;
    const reporter = throttleProgress(async () => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight--;
    });
    for (const phase of ['checking', 'creating_schema', 'loading_nodes', 'ready'] as const)
      reporter.push(state(phase, 0));
    await reporter.flush();
    expect(most).toBe(1);
  });
});

test('sends one report for activity within five seconds', async () => {
  let sent = 0;
  const reporter = throttleActivity(() => Promise.resolve(sent++));
  for (let times = 0; times < 50; times++) reporter.push();
  await waitFor('the report is sent', () => sent === 1);
  for (let times = 0; times < 50; times++) reporter.push();
  reporter.drop();
  expect(sent).toBe(1);
});

describe('calls to the control plane', () => {
  const send = (url: string, maxMs: number, path = '/x') =>
    new InternalApi({ url, token: () => 'the-token', component: 'wrapper', timeoutMs: 5_000 }).send(
      { method: 'PUT', path, body: {} },
      maxMs,
    );

  test('are retried on a 5xx answer, and not on 4xx', async () => {
    const server = await startControlPlane(null);
    server.failWith(() => (server.calls.length < 3 ? 500 : null));
    expect(isRight(await send(server.url, 5_000))).toBe(true);
    expect(server.calls).toHaveLength(3);
    server.failWith(() => 409);
    expect(left(await send(server.url, 5_000))).toMatchObject({
      kind: 'refused',
      status: 409,
    });
    expect(server.calls).toHaveLength(4);
    await server.close();
  });

  test('fail after the time limit with the address and without the query string', async () => {
    const server = await startControlPlane(null);
    await server.close();
    expect(left(await send(server.url, 300, '/gone?limit=2'))).toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/\/gone got no answer/) as string,
    });
  });
});
