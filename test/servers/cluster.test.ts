import { isLeft } from 'fp-ts/Either';
import { newEvent } from '../contracts/event-store/event-samples';
import { bySize, isFullProof } from '../support/proof-size';
import { waitFor } from '../support/wait-for';
import { type EventStoreCluster, startEventStoreCluster } from './support/event-store-cluster';
import { describeWithEventStore } from './support/event-store-command';
import { startLoad } from './support/load';
import { CATEGORY, openStore } from './support/open-store';

jest.setTimeout(1_800_000);

const ROUNDS = bySize({ sample: 1, full: 10 });
/** In CI the three nodes share the machine with everything else: there the limit is ten times as long. */
const within = (ms: number): number => (isFullProof ? ms : 10 * ms);

describeWithEventStore('a cluster of three nodes', () => {
  let cluster: EventStoreCluster;
  beforeAll(async () => {
    cluster = await startEventStoreCluster(3);
  });
  afterAll(() => cluster.stop());

  let loads = 0;
  /**
   * Applies a fault to the cluster several times, under writers and followers; returns how long writes were blocked.
   */
  const underLoad = async (fault: (load: ReturnType<typeof startLoad>) => Promise<number>): Promise<number> => {
    const prefix = `load${(loads += 1)}_`;
    const [writing, following] = [openStore(cluster, { prefix }), openStore(cluster, { prefix })];
    const load = startLoad(writing.store, { writers: 8, follower: following.store });
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await load.more(50);
      waits.push(await fault(load));
      await cluster.untilWhole();
    }
    await load.more(50);
    expect(await load.stop()).toEqual([]);
    await Promise.all([writing.close(), following.close()]);
    console.info(
      `${load.acknowledged()} appends acknowledged, the longest after ${Math.round(load.longestMs())} ms; writes stood still for ${waits.map(Math.round).join(', ')} ms`,
    );
    return Math.max(...waits);
  };

  it('continues within 5 seconds when the leader is killed, and loses nothing', async () => {
    const longestMs = await underLoad(async (load) => {
      const leader = await cluster.leader();
      await leader.kill();
      const killedAt = performance.now();
      const wait = (await load.taken()) - killedAt;
      await leader.launch();
      return wait;
    });
    expect(longestMs).toBeLessThan(within(5_000));
  });

  it('continues within 10 seconds when the leader is frozen, and loses nothing', async () => {
    const longestMs = await underLoad(async (load) => {
      const leader = await cluster.leader();
      leader.freeze();
      const frozenAt = performance.now();
      const wait = (await load.taken()) - frozenAt;
      leader.thaw();
      return wait;
    });
    expect(longestMs).toBeLessThan(within(10_000));
  });

  it('accepts no write without a quorum, continues when it returns, and loses nothing', async () => {
    await underLoad(async (load) => {
      const leader = await cluster.leader();
      const others = cluster.nodes.filter((node) => node !== leader);
      await Promise.all(others.map((node) => node.kill()));
      const impatient = openStore(cluster, { prefix: 'unwritten_', timeoutMs: 2_000 });
      // Appends in progress at the followers may still succeed.
      await waitFor('an append fails', async () =>
        isLeft(await impatient.store.append(`${CATEGORY}-unwritten`, 0, [newEvent()])),
      );
      await impatient.close();
      await Promise.all(others.map((node) => node.launch()));
      const launchedAt = performance.now();
      return (await load.taken()) - launchedAt;
    });
  });
});
