import { type ApiClient } from '../support/api-client';
import { untilAtRest } from '../support/at-rest';
import { ask, createInstance, createMapping, deleteInstance, untilRunning } from '../support/instances';
import { type Moment, untilMoment } from '../support/moments';
import { bySize } from '../support/proof-size';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { crowdOf, fillWarehouse } from '../support/sample-mappings';
import { settingsOfLogOn } from '../support/system-event-store';
import { type EventStoreCluster, startEventStoreCluster } from './support/event-store-cluster';
import { describeWithEventStore } from './support/event-store-command';

jest.setTimeout(1_200_000);

const PEOPLE = 10_000;
const COUNT = 'MATCH (p:Person) RETURN count(*)';

describeWithEventStore('the whole system on three nodes', () => {
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

  const moments: readonly Moment[] = ['is being exported', 'was just requested', 'is being loaded'];
  it.each(moments.slice(0, bySize({ sample: 1, middle: 3, full: 3 })))(
    'brings an instance that %s to running when the leader is killed',
    async (moment) => {
      const id = await createInstance(ada, mapping);
      if (moment !== 'was just requested') await untilMoment(ada, id, moment);
      const leader = await cluster.leader();
      await leader.kill();
      const { instance_url } = await untilRunning(ada, id);
      expect(await ask(ada, instance_url, COUNT)).toEqual([[PEOPLE]]);
      await leader.launch();
      await cluster.untilWhole();
      await untilAtRest(system);
      await deleteInstance(ada, id);
      await untilAtRest(system);
    },
  );

  it('brings an instance to running when the leader stands still', async () => {
    const id = await createInstance(ada, mapping);
    const leader = await cluster.leader();
    leader.freeze();
    const { instance_url } = await untilRunning(ada, id);
    expect(await ask(ada, instance_url, COUNT)).toEqual([[PEOPLE]]);
    leader.thaw();
    await cluster.untilWhole();
    await deleteInstance(ada, id);
    await untilAtRest(system);
  });
});
