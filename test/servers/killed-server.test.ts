import { bySize, isFullProof } from '../support/proof-size';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';
import { startLoad } from './support/load';
import { openStore } from './support/open-store';

jest.setTimeout(600_000);

const ROUNDS = bySize({ sample: 3, full: 20 });
/**
 * The longest time until a waiting write succeeds after the server accepts appends again; other programs share a
 * machine of CI.
 */
const THROUGH_WITHIN_MS = isFullProof ? 1_000 : 10_000;

describeWithEventStore('a server that is killed during writes of 16 writers with followers', () => {
  let server: EventStoreServer;
  beforeAll(async () => {
    server = await startEventStoreServer();
  });
  afterAll(() => server.stop());

  it(`keeps every acknowledged event once, and every other completely or not at all, ${ROUNDS} times`, async () => {
    const opened = openStore(server);
    const load = startLoad(opened.store, { writers: 16 });
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await load.more(100);
      await server.kill();
      const taken = load.taken();
      await server.launch();
      const ready = server.untilReady().then(() => performance.now());
      waits.push((await taken) - (await ready));
    }
    await load.more(100);
    expect(await load.stop()).toEqual([]);
    await opened.close();
    console.info(
      `${load.acknowledged()} appends acknowledged; ready → through: ${waits.map(Math.round).join(', ')} ms`,
    );
    expect(Math.max(...waits)).toBeLessThan(THROUGH_WITHIN_MS);
  });
});
