import * as t from 'io-ts';
import { FavoriteType } from '../../domain/favorites';
import { nullable } from '../../domain/kernel/codecs';
import { UserRole } from '../../domain/user';

export const UserView = t.strict({
  username: t.string,
  display_name: nullable(t.string),
  email: nullable(t.string),
  role: UserRole,
  is_active: t.boolean,
  created_at: t.string,
  updated_at: t.string,
  role_changed_at: nullable(t.string),
  role_changed_by: nullable(t.string),
});
export type UserView = t.TypeOf<typeof UserView>;

/** An API key without its secret, which is not stored. */
export const ApiKeyView = t.strict({
  id: t.string,
  name: t.string,
  created_at: t.string,
  created_by: t.string,
  expires_at: nullable(t.string),
});
export type ApiKeyView = t.TypeOf<typeof ApiKeyView>;

export const AddedFavorite = t.strict({ resource_type: FavoriteType, resource_id: t.number, created_at: t.string });

export const FavoriteView = t.strict({
  ...AddedFavorite.type.props,
  resource_name: nullable(t.string),
  resource_owner: nullable(t.string),
  /** Always true: favorites of deleted resources are not listed. */
  resource_exists: t.boolean,
});
export type FavoriteView = t.TypeOf<typeof FavoriteView>;
