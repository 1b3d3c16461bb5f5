import { readConnectionTo } from '../../adapters/postgres/connection';
import { listFavorites } from '../../queries/favorites';
import { openReadDatabase, type ReadDatabase } from '../../queries/kit/database';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendEvents, appendInstance, mappingCreated } from '../projections/sample-events';

type Kind = 'mapping' | 'snapshot' | 'instance';
const added = (username: string, resourceType: Kind, resourceId: number) => ({
  type: 'FavoriteAdded',
  data: { username, resourceType, resourceId },
});

describe('the list of favorites', () => {
  let fixture: ProjectionFixture;
  let db: ReadDatabase;

  const append = async (streamId: string, events: Parameters<typeof appendEvents>[2], at?: string) => {
    await appendEvents(fixture.store, streamId, events, at);
    const running = fixture.run();
    await running.caughtUp();
    await running.stop();
  };
  const list = async (username: string, resourceType?: Kind, page = { offset: 0, limit: 50 }) => {
    const { items, total } = await listFavorites(
      db,
      { username, role: 'analyst' },
      { resource_type: resourceType },
      page,
    );
    return { total, ids: items.map((item) => `${item.resource_type} ${item.resource_id}`) };
  };

  beforeAll(async () => {
    fixture = await createProjectionFixture();
    db = openReadDatabase(readConnectionTo(fixture.connectionString));
    await appendEvents(fixture.store, 'mapping-1', [mappingCreated(1, { name: 'Town' })]);
    await appendEvents(fixture.store, 'mapping-2', [mappingCreated(2)]);
    await appendInstance(fixture.store, 1);
    const first = [added('ada', 'mapping', 1), added('ada', 'instance', 1), added('ada', 'snapshot', 1)];
    await appendEvents(fixture.store, 'favorites-ada', first, '2026-03-01T12:00:00.000Z');
    await append('favorites-ada', [added('ada', 'mapping', 2)], '2026-03-02T12:00:00.000Z');
    await append('favorites-bob', [added('bob', 'mapping', 1)]);
  });
  afterAll(async () => {
    await db.destroy();
    await fixture.close();
  });

  it('has the newest first, per user', async () => {
    expect(await list('ada')).toEqual({ total: 4, ids: ['mapping 2', 'instance 1', 'mapping 1', 'snapshot 1'] });
    expect(await list('bob')).toEqual({ total: 1, ids: ['mapping 1'] });
    expect(await list('eve')).toEqual({ total: 0, ids: [] });
  });

  it('can be limited to a kind, in pages', async () => {
    expect(await list('ada', 'mapping')).toEqual({ total: 2, ids: ['mapping 2', 'mapping 1'] });
    expect(await list('ada', undefined, { offset: 1, limit: 2 })).toEqual({
      total: 4,
      ids: ['instance 1', 'mapping 1'],
    });
  });

  it('contains name and owner of the resource', async () => {
    const { items } = await listFavorites(db, { username: 'bob', role: 'analyst' }, {}, { offset: 0, limit: 1 });
    expect(items).toEqual([
      {
        resource_type: 'mapping',
        resource_id: 1,
        resource_name: 'Town',
        resource_owner: 'ada',
        created_at: '2026-03-01T12:00:00.000Z',
        resource_exists: true,
      },
    ]);
  });

  it('omits deleted resources for all users, even when one is marked at the same time', async () => {
    await append('mapping-1', [{ type: 'MappingDeleted', data: { mappingId: 1, reason: 'no use' } }]);
    await append('favorites-eve', [added('eve', 'mapping', 1)]);
    expect((await list('ada')).ids).toEqual(['mapping 2', 'instance 1', 'snapshot 1']);
    expect((await list('bob')).total).toBe(0);
    expect((await list('eve')).total).toBe(0);
    await append('instance-1', [
      { type: 'InstanceDeleted', data: { instanceId: 1, ownerUsername: 'user-1', reason: 'no use' } },
    ]);
    expect((await list('ada')).ids).toEqual(['mapping 2', 'snapshot 1']);
  });

  it('omits removed ones', async () => {
    await append('favorites-ada', [{ ...added('ada', 'mapping', 2), type: 'FavoriteRemoved' }]);
    expect((await list('ada')).ids).toEqual(['snapshot 1']);
  });
});
