import * as t from 'io-ts';
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
