import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type ApiClient } from '../support/api-client';
import { Choice } from '../support/choice';
import { ask, createInstance, createMapping, deleteInstance, findInstance, untilRunning } from '../support/instances';
import { bySize } from '../support/proof-size';
import { type RunningSystem, TIMEOUT_MS } from '../support/running-system';
import { townMapping } from '../support/sample-mappings';
import { SEED } from '../support/seed';
import { waitFor } from '../support/wait-for';
import { describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { startStandInContainer } from './support/kubernetes/stand-in-container';
import {
  startSystemsOnKubernetes,
  type SystemsOnKubernetes,
  untilNothingIsLeft,
} from './support/kubernetes/systems-on-kubernetes';

jest.setTimeout(30 * TIMEOUT_MS);

const AT_ONCE = bySize({ sample: 30, full: 100 });
const LIMIT = bySize({ sample: 25, full: 90 });
const DOWN_MS = bySize({ sample: 10_000, full: 60_000 });
const BREAKS = bySize({ sample: 10, full: 50 });
const KILLS = bySize({ sample: 6, full: 40 });
const STARTS = bySize({ sample: 10, full: 50 });

describeWithKubernetes('two control planes during failures, whose pods run on Kubernetes', () => {
  let systems: SystemsOnKubernetes;
  let planes: readonly RunningSystem[];
  let ada: ApiClient;
  let mapping: number;
  beforeAll(async () => {
    systems = await startSystemsOnKubernetes({
      ROWGRAPH_JOB_INTERVALS: 'reconciliation=2s,lifecycle=2s,export_reconciliation=2s,resource_monitor=2s',
    });
    planes = [systems.first, systems.second];
    ada = systems.first.as('ada');
    await systems.first
      .as('olivia')
      .call('setConcurrencyConfig', { body: { per_analyst: LIMIT, cluster_total: LIMIT } });
    mapping = await createMapping(ada, townMapping);
  });
  afterAll(() => systems.close());
  const byTurns = (turn: number): RunningSystem => planes[turn % planes.length] ?? systems.first;

  /** Checks that every instance is running and has one pod, and that there are no other pods. */
  const onePodEach = async (ids: readonly number[]): Promise<void> => {
    const instances = async (): Promise<unknown> =>
      (await systems.pods())
        .map(({ metadata }) => Number(metadata?.labels?.['rowgraph/instance']))
        .sort((a, b) => a - b);
    const expected = JSON.stringify([...ids].sort((a, b) => a - b));
    await waitFor(
      'each instance has exactly one pod',
      async () => JSON.stringify(await instances()) === expected,
      TIMEOUT_MS,
    );
    for (const id of ids) await untilRunning(ada, id);
  };
  const deleteAll = async (ids: readonly number[]): Promise<void> => {
    for (let at = 0; at < ids.length; at += 10)
      await Promise.all(ids.slice(at, at + 10).map((id, turn) => deleteInstance(byTurns(turn).as('ada'), id)));
    await untilNothingIsLeft(systems);
  };

  it(`run ${LIMIT} of ${AT_ONCE} instances that are requested at once, and reject the others`, async () => {
    const node = await systems.addKubelet({ start: startStandInContainer, memory: '1000Gi' });
    const body = { mapping_id: mapping, name: 'rush', wrapper_type: 'graphdb_a' };
    const from = systems.proxy.requests.length;
    const requestedAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, turn) => byTurns(turn).as('ada').send('POST', '/api/instances', { body })),
    );
    const accepted = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(AT_ONCE - LIMIT);
    expect(accepted).toHaveLength(LIMIT);
    const ids = accepted.map(({ body }) => (body as { readonly data: { readonly id: number } }).data.id);
    const isRunning = async (): Promise<boolean> =>
      (await ada.call('listInstances', { query: { limit: 100 } })).data.every(({ status }) => status === 'running');
    await waitFor('all instances are running', isRunning, 5 * TIMEOUT_MS);
    const seconds = (Date.now() - requestedAt) / 1000;
    await onePodEach(ids);
    await deleteAll(ids);
    const requests = systems.proxy.requests.slice(from);
    const mebibytes = planes.map((plane) => Math.round(peakBytesOf(plane) / 2 ** 20));
    console.info(
      `${LIMIT} running after ${seconds} s; ${requests.length} requests until all were deleted, at most ${busiestSecond(requests)} in a second; control planes at most ${mebibytes.join(' and ')} MiB`,
    );
    expect(busiestSecond(requests)).toBeLessThanOrEqual(60);
    expect(Math.max(...mebibytes)).toBeLessThanOrEqual(300);
    await node.stop();
  });

  it(`lose and duplicate nothing while the API server is unavailable for ${DOWN_MS / 1000} s and watches break ${BREAKS} times`, async () => {
    await systems.addKubelet({ memory: '100Gi' });
    const running = await Promise.all([0, 1, 2].map((turn) => createInstance(byTurns(turn).as('ada'), mapping)));
    for (const id of running) await untilRunning(ada, id);
    const uids = async (): Promise<readonly unknown[]> =>
      (await systems.pods()).map(({ metadata }) => metadata?.uid).sort();
    const before = await uids();
    const allAnswer = async (): Promise<void> => {
      for (const [turn, id] of running.entries()) {
        const client = byTurns(turn).as('ada');
        const { instance_url } = await findInstance(client, id);
        expect(await ask(client, new URL(instance_url ?? '').pathname, 'RETURN 1')).toEqual([[1]]);
      }
    };

    systems.proxy.refuse();
    const until = Date.now() + DOWN_MS;
    const meanwhile = createInstance(ada, mapping, 'asked for meanwhile');
    // A server without its history answers the next watch with 410.
    const restarting = promisify(exec)(process.env['KUBERNETES_RESTART_COMMAND'] ?? 'true');
    while (Date.now() < until) {
      await allAnswer();
      await sleep(200);
    }
    await restarting;
    systems.proxy.resume();
    const haveAddresses = async (): Promise<boolean> =>
      (await systems.pods()).filter(({ status }) => status?.podIP !== undefined).length > running.length;
    // The scheduler also reconnects after a pause that has grown while the server was away.
    await waitFor('the pods requested meanwhile have addresses', haveAddresses, 5 * TIMEOUT_MS);
    await untilRunning(ada, await meanwhile);

    const more: number[] = [];
    for (let turn = 0; turn < BREAKS; turn += 1) {
      await waitFor('both control planes watch the pods', () => systems.proxy.openWatches() === planes.length);
      systems.proxy.breakConnections();
      if (turn % 10 === 0) more.push(await createInstance(byTurns(turn).as('ada'), mapping, 'among breaks'));
      await allAnswer();
    }
    await onePodEach([...running, await meanwhile, ...more]);
    expect(await uids()).toEqual(expect.arrayContaining([...before]));
    await deleteAll([...running, await meanwhile, ...more]);
  });

  it(`lose, duplicate and leave nothing when they are killed ${KILLS} times during ${STARTS} starts`, async () => {
    await systems.addKubelet({ start: startStandInContainer, memory: '1000Gi' });
    const random = new Choice(SEED);
    const ids: number[] = [];
    /** Sends a request with an idempotency key to the control planes in turn, until it is acknowledged. */
    const request = async (number: number): Promise<void> => {
      const body = { mapping_id: mapping, name: `start ${number}`, wrapper_type: 'graphdb_a' };
      const headers = { 'Idempotency-Key': `start-${number}` };
      for (let turn = number; ; turn += 1) {
        const answer = await byTurns(turn)
          .as('ada')
          .send('POST', '/api/instances', { body, headers })
          .catch(() => null);
        if (answer?.status === 201) return void ids.push((answer.body as { data: { id: number } }).data.id);
        if (answer !== null && ![409, 503].includes(answer.status)) throw new Error(JSON.stringify(answer));
        await sleep(50);
      }
    };
    let killed = 0;
    const starting = (async () => {
      for (let number = 0; number < STARTS; number += 1) {
        await request(number);
        const due = (number * KILLS) / STARTS;
        await waitFor('the scheduled kills are done', () => killed >= due - 2, 5 * TIMEOUT_MS);
      }
    })();
    for (; killed < KILLS; killed += 1) {
      // A moment between two of their requests, unless the starts wait for the kill or all have been sent.
      const due = systems.proxy.requests.length + random.below(8);
      const isDue = () =>
        systems.proxy.requests.length >= due || (ids.length * KILLS) / STARTS > killed + 1 || ids.length === STARTS;
      await waitFor('the next kill is due', isDue, 5 * TIMEOUT_MS);
      const victim = byTurns(random.below(2));
      await victim.kill('control plane');
      await victim.start();
    }
    await starting;
    await onePodEach(ids);
    expect(new Set(ids).size).toBe(STARTS);
    await deleteAll(ids);
  });
});

/** The requests in the busiest second. */
const busiestSecond = (requests: readonly { readonly at: number }[]): number =>
  Math.max(0, ...requests.map(({ at: from }) => requests.filter(({ at }) => at >= from && at < from + 1000).length));

/** The peak resident memory of a control plane's own process. */
const peakBytesOf = (system: RunningSystem): number => {
  const [{ pid } = { pid: 0 }] = system.processes('control plane');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
};
