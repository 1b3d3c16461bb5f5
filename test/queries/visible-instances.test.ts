import { readConnectionTo } from '../../adapters/postgres/connection';
import { canAccess } from '../../domain/instance';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { findInstanceWithAccess, isVisible, visibleInstances } from '../../queries/visible-instances';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendEvents } from '../projections/sample-events';
import { instanceRequested } from '../support/domain-samples';

const ACCESS = [
  { mode: 'everyone', users: [] },
  { mode: 'owner', users: [] },
  { mode: 'users', users: [] },
  { mode: 'users', users: ['bob'] },
  { mode: 'users', users: ['Bob', 'carl'] },
] as const;
const VIEWERS = ['ada', 'bob', 'carl', 'eve', ''].flatMap((username) =>
  (['analyst', 'admin', 'ops'] as const).map((role) => ({ username, role })),
);

describe('the instances visible to a user', () => {
  let fixture: ProjectionFixture;
  let db: ReadDatabase;

  beforeAll(async () => {
    fixture = await createProjectionFixture();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
    for (const [index, access] of ACCESS.entries()) {
      // The first of each pair was changed to what the second was from the beginning.
      for (const [instanceId, changes] of [
        [2 * index + 1, true],
        [2 * index + 2, false],
      ] as const) {
        const ofInstance = { instanceId, ownerUsername: 'ada' };
        const requested = { ...instanceRequested.data, ...ofInstance, urlSlug: `slug-${instanceId}` };
        await appendEvents(fixture.store, `instance-${instanceId}`, [
          { type: 'InstanceRequested', data: { ...requested, ...(changes ? {} : { access }) } },
          ...(changes ? [{ type: 'InstanceAccessChanged', data: { ...ofInstance, access } }] : []),
        ]);
      }
    }
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  it.each(VIEWERS)('are for $username, $role, those to which the domain grants access', async (viewer) => {
    const expected = ACCESS.flatMap((access, index) =>
      canAccess({ ownerUsername: 'ada', access }, viewer) ? [2 * index + 1, 2 * index + 2] : [],
    );
    expect(await visibleInstances(db, viewer).orderBy('id').pluck('id')).toEqual(expected);
    for (let id = 1; id <= 2 * ACCESS.length + 1; id++) {
      expect(await isVisible(db, id, viewer)).toBe(expected.includes(id));
    }
  });

  it('are found with their access list by id and by slug', async () => {
    const found = { id: 8, ownerUsername: 'ada', podLife: null, access: { mode: 'users', users: ['bob'] } };
    expect(await findInstanceWithAccess(db, { id: 8 })).toEqual(found);
    expect(await findInstanceWithAccess(db, { url_slug: 'slug-8' })).toEqual(found);
    expect(await findInstanceWithAccess(db, { id: 99 })).toBeNull();
  });
});
