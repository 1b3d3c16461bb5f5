import { type ApiClient } from '../support/api-client';
import { untilAtRest } from '../support/at-rest';
import { ask, createInstance, createMapping, deleteInstance, untilRunning } from '../support/instances';
import { type Moment, untilMoment } from '../support/moments';
import { bySize } from '../support/proof-size';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { crowdOf, fillWarehouse } from '../support/sample-mappings';
import { settingsOfLogOn } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';
import { type EventStoreCluster, startEventStoreCluster } from './support/event-store-cluster';
import { describeWithEventStore } from './support/event-store-command';

jest.setTimeout(1_200_000);

const PEOPLE = 10_000;
const COUNT = 'MATCH (p:Person) RETURN count(*)';

describeWithEventStore('a whole system on a cluster of three nodes', () => {
  let cluster: EventStoreCluster;
  let system: RunningSystem;
  let ada: ApiClient;
  let mapping: number;
  beforeAll(async () => {
    cluster = await startEventStoreCluster(3);
    system = await startRunningSystem(fillWarehouse, settingsOfLogOn(cluster.connectionString));
    ada = system.as('ada');
    mapping = await createMapping(ada, crowdOf(PEOPLE));
  });
  afterAll(async () => {
    await system.close();
    await cluster.stop();
  });

  /** Each fault takes something away from the cluster and returns a function that restores it. */
  const faults: Readonly<Record<string, () => Promise<() => unknown>>> = {
    'the leader is killed': async () => {
      const leader = await cluster.leader();
      await leader.kill();
      return () => leader.launch();
    },
    'the leader stands still': async () => {
      const leader = await cluster.leader();
      leader.freeze();
      return () => leader.thaw();
    },
    'the quorum is lost for a while': async () => {
      const leader = await cluster.leader();
      const others = cluster.nodes.filter((node) => node !== leader);
      await Promise.all(others.map((node) => node.kill()));
      const write = () => ada.send('POST', '/api/mappings', { body: crowdOf(PEOPLE) });
      await waitFor('a write is rejected with 503', async () => (await write()).status === 503);
      await Promise.all(others.map((node) => node.launch()));
      return () => undefined;
    },
  };
  const moments: readonly Moment[] = ['is being exported', 'was just requested', 'is being loaded'];
  const rounds = Array.from({ length: bySize({ sample: 1, full: 10 }) }, (_, round) => round + 1);
  const cases = Object.keys(faults).flatMap((fault) =>
    rounds.map((round) => ({ fault, moment: moments[round % moments.length]!, round })),
  );

  it.each(cases)('starts an instance that $moment when $fault (round $round)', async ({ fault, moment }) => {
    const id = await createInstance(ada, mapping);
    await untilMoment(ada, id, moment);
    const giveBack = await faults[fault]!();
    const { instance_url } = await untilRunning(ada, id);
    expect(await ask(ada, instance_url, COUNT)).toEqual([[PEOPLE]]);
    await giveBack();
    await cluster.untilWhole();
    await untilAtRest(system);
    await deleteInstance(ada, id);
    await untilAtRest(system);
  });
});
