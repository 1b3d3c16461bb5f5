import * as t from 'io-ts';
import { FavoriteType } from '../../../../domain/favorites';
import { fields, optional, ResourceId } from '../../../../domain/kernel/codecs';
import { AddedFavorite, FavoriteView } from '../../../../queries/views/user';
import { created, data, endpoint, list, PathId } from '../../kit';
import { asOfField } from '../as-of/as-of-field';
import { listFields } from '../codecs';

export const favoriteEndpoints = {
  listFavorites: endpoint('GET /favorites', {
    summary: 'Your favorites, newest first',
    access: 'user',
    query: fields({
      ...listFields('created_at', 'resource_name', 'resource_owner', 'resource_type'),
      resource_type: optional(FavoriteType),
      ...asOfField,
    }),
    success: list(FavoriteView),
  }),
  addFavorite: endpoint('POST /favorites', {
    summary: 'Add a resource to your favorites',
    access: 'user',
    createsResource: true,
    body: fields({ resource_type: FavoriteType, resource_id: ResourceId }),
    success: created(AddedFavorite),
    errors: ['RESOURCE_NOT_FOUND', 'ALREADY_EXISTS'],
  }),
  removeFavorite: endpoint('DELETE /favorites/{resource_type}/{resource_id}', {
    summary: 'Remove a resource from your favorites',
    access: 'user',
    resource: 'favorite',
    params: fields({ resource_type: FavoriteType, resource_id: PathId }),
    success: data(t.strict({ deleted: t.literal(true) })),
  }),
};
