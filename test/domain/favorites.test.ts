import { favorites, type FavoritesCommand, type FavoritesEvent } from '../../domain/favorites';
import { given } from '../support/given-when-then';

const graph = { resourceType: 'instance', resourceId: 7 } as const;
const add: FavoritesCommand = { type: 'AddFavorite', ...graph };
const remove: FavoritesCommand = { type: 'RemoveFavorite', ...graph };
const added: FavoritesEvent = { type: 'FavoriteAdded', data: { username: 'ada', ...graph } };
const removed: FavoritesEvent = { type: 'FavoriteRemoved', data: { username: 'ada', ...graph } };
const details = { resource_type: 'instance', resource_id: 7 };

describe('favorites', () => {
  it('are added once', () => {
    given(favorites).when(add).happens(added);
    given(favorites, added).when(add).isRefused('ALREADY_EXISTS', details);
  });

  it('are removed once', () => {
    given(favorites, added).when(remove).happens(removed);
    given(favorites).when(remove).isRefused('RESOURCE_NOT_FOUND', details);
    given(favorites, added, removed).when(remove).isRefused('RESOURCE_NOT_FOUND');
  });

  it('can be added again', () => {
    given(favorites, added, removed).when(add).happens(added);
  });

  it('favorites of different kinds with the same number are different', () => {
    given(favorites, added)
      .when({ ...add, resourceType: 'mapping' })
      .happens({ type: 'FavoriteAdded', data: { username: 'ada', ...graph, resourceType: 'mapping' } });
  });
});
