import * as t from 'io-ts';
import { FavoriteType } from '../../domain/favorites';
import { nullable } from '../../domain/kernel/codecs';

export const AddedFavorite = t.strict({ resource_type: FavoriteType, resource_id: t.number, created_at: t.string });

export const FavoriteView = t.strict({
  ...AddedFavorite.type.props,
  resource_name: nullable(t.string),
  resource_owner: nullable(t.string),
  /** Always true: favorites of deleted resources are not listed. */
  resource_exists: t.boolean,
});
export type FavoriteView = t.TypeOf<typeof FavoriteView>;
