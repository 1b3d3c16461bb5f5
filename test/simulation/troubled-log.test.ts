import { isLeft } from 'fp-ts/Either';
import { START } from '../../domain/kernel/event';
import { rebuildProjections } from '../../projections/rebuild';
import { projections } from '../../projections/registry';
import { createProjectionFixture } from '../projections/projection-fixture';
import { expectRight } from '../support/given-when-then';
import { bySize } from '../support/proof-size';
import { manyLives } from './stories';

const SEEDS = [1, 3, 4, 5].slice(0, bySize({ sample: 2, full: 4 }));

describe('the log of a system with random faults', () => {
  it.each(SEEDS)(
    'produces the same read models when it is followed and when it is replayed (seed %i)',
    async (seed) => {
      const { world } = await manyLives(seed);
      const { events } = expectRight(await world.store.readAll(START, 1_000_000));
      const fixture = await createProjectionFixture();
      // Two replicas follow the log while it is written; one of them is replaced during that time.
      const stays = fixture.run();
      const leaves = fixture.run();
      for (const [index, { streamId, revision, ...event }] of events.entries()) {
        if (index === Math.floor(events.length / 2)) await leaves.stop();
        const appended = await fixture.store.append(streamId, revision === 0 ? 'no_stream' : revision - 1, [event]);
        if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
      }
      const joins = fixture.run();
      await stays.caughtUp();
      await joins.caughtUp();
      const followed = await fixture.rows();
      await Promise.all([stays.stop(), joins.stop()]);
      for (const projection of projections) {
        if (projection.tables !== '') await rebuildProjections(fixture, [projection]);
      }
      const replayed = await fixture.rows();
      await fixture.close();
      expect(followed['instances']?.length).toBeGreaterThan(0);
      expect(replayed).toEqual(followed);
    },
  );
});
