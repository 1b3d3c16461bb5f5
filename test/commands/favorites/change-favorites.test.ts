import { isRight } from 'fp-ts/Either';
import { changeFavorites } from '../../../commands/favorites/change-favorites';
import { changeInstance } from '../../../commands/instance/change-instance';
import { deleteMapping } from '../../../commands/mapping/delete-mapping';
import { type FavoriteResource, favoritesStream } from '../../../domain/favorites';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

const mapping: FavoriteResource = { resourceType: 'mapping', resourceId: 1 };
const instance: FavoriteResource = { resourceType: 'instance', resourceId: 1 };
const gone = { code: 'RESOURCE_NOT_FOUND', details: { resource_id: 1 } };

describe('the favorites of a user', () => {
  let system: InMemorySystem;
  beforeEach(async () => {
    system = createInMemorySystem();
    await system.createMapping();
  });
  const change = (type: 'AddFavorite' | 'RemoveFavorite', resource: FavoriteResource, username = 'ada') =>
    changeFavorites(system, { type, ...resource }, system.context(username));

  it('are existing resources of any owner', async () => {
    expectRight(await change('AddFavorite', mapping, 'bob'));
    expect(expectLeft(await change('AddFavorite', instance))).toMatchObject(gone);
    expect(expectLeft(await change('AddFavorite', { resourceType: 'snapshot', resourceId: 1 }))).toMatchObject(gone);
  });

  it('are added once, even by concurrent requests', async () => {
    const asked = await Promise.all([1, 2, 3].map(() => change('AddFavorite', mapping)));
    expect(asked.filter(isRight)).toHaveLength(1);
    expect(await system.typesOf(favoritesStream('ada'))).toEqual(['FavoriteAdded']);
    expectRight(await change('AddFavorite', mapping, 'bob'));
  });

  it('end when the mapping is deleted', async () => {
    expectRight(await change('AddFavorite', mapping));
    expectRight(await deleteMapping(system, 1, 'no use', system.context()));
    expect(expectLeft(await change('RemoveFavorite', mapping))).toMatchObject(gone);
    expect(expectLeft(await change('AddFavorite', mapping))).toMatchObject(gone);
  });

  it('end when the instance is deleted', async () => {
    const stop = system.start();
    expectRight(await system.requestInstance());
    await system.settled();
    expectRight(await change('AddFavorite', instance));
    const deletion = { type: 'RequestDeletion', reason: 'no use' } as const;
    expectRight(await changeInstance(system, 1, deletion, system.context()));
    await system.settled();
    await stop();
    expect(expectLeft(await change('RemoveFavorite', instance))).toMatchObject(gone);
  });
});
