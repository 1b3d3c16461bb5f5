import { bySize } from '../support/proof-size';
import { TIMEOUT_MS } from '../support/running-system';
import { townMapping } from '../support/sample-mappings';
import { settingsOfLogOn } from '../support/system-event-store';
import { startTwoControlPlanes } from '../support/two-control-planes';
import { waitFor } from '../support/wait-for';
import { describeWithEventStore } from './support/event-store-command';
import { startEventStoreServer } from './support/event-store-server';

jest.setTimeout(1_200_000);

const ROUNDS = bySize({ sample: 2, full: 20 });

describeWithEventStore('two control planes on one log in EventStoreDB', () => {
  it(`execute every acknowledged request once while they are killed in turn ${ROUNDS} times`, async () => {
    const server = await startEventStoreServer();
    const both = await startTwoControlPlanes({
      ...settingsOfLogOn(server.connectionString),
      ROWGRAPH_JOB_INTERVALS: 'reconciliation=1s,lifecycle=1s,export_reconciliation=1s,resource_monitor=1s',
    });
    const planes = [both.first, both.second];
    const wanted = new Set<string>();
    const acknowledged = new Map<string, number>();
    let isOver = false;
    /** Sends a request with an idempotency key to the control planes in turn, until it is acknowledged. */
    const create = async (name: string): Promise<void> => {
      wanted.add(name);
      const request = {
        body: { ...townMapping, name },
        headers: { 'Idempotency-Key': name.replaceAll(/[ ,]+/g, '-') },
      };
      for (let turn = 0; !acknowledged.has(name); turn += 1) {
        const answer = await planes[turn % 2]!.as('ada')
          .send('POST', '/api/mappings', request)
          .catch(() => null);
        if (answer !== null && ![201, 409, 503].includes(answer.status)) throw new Error(JSON.stringify(answer));
        if (answer?.status === 201)
          acknowledged.set(name, (answer.body as { readonly data: { readonly id: number } }).data.id);
      }
    };
    const writer = async (number: number): Promise<void> => {
      for (let n = 0; !isOver; n += 1) await create(`writer ${number}, mapping ${n}`);
    };
    const writing = Promise.all([0, 1, 2, 3].map(writer));
    for (let round = 0; round < ROUNDS; round += 1) {
      const goal = acknowledged.size + 20;
      await waitFor('the writers reach their goal', () => acknowledged.size >= goal, TIMEOUT_MS);
      const victim = planes[round % 2]!;
      await victim.kill('control plane');
      await victim.start();
    }
    isOver = true;
    await writing;

    const rows = `SELECT id::int AS id, name FROM mappings ORDER BY id`;
    const expected = [...acknowledged].map(([name, id]) => ({ id, name })).sort((a, b) => a.id - b.id);
    await waitFor(
      'the read models reach the end of the log',
      async () => (await both.query(rows)).length >= expected.length,
    );
    expect(await both.query(rows)).toEqual(expected);
    expect(acknowledged.size).toBe(wanted.size);
    const twiceAtOnce = `SELECT a.* FROM es.job_runs a JOIN es.job_runs b ON a.job_name = b.job_name AND a.id < b.id
      WHERE a.started_at < b.ended_at AND b.started_at < a.ended_at`;
    expect(await both.query(twiceAtOnce)).toEqual([]);
    const work = 'SELECT (SELECT count(*)::int FROM es.timers) + (SELECT count(*)::int FROM es.effects) AS open';
    await waitFor('no work is in progress', async () => (await both.query(work))[0]?.['open'] === 0);
    expect(await both.query('SELECT * FROM es.parked')).toEqual([]);
    await both.close();
    await server.stop();
    console.info(`${acknowledged.size} mappings created under ${ROUNDS} kills`);
  });
});
