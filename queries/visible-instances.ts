import { type Knex } from 'knex';
import { type AccessControlled } from '../domain/instance';
import { type Actor } from '../domain/kernel/decider';
import { type ReadDatabase } from './kit/database';

/** The reading user. */
export type Viewer = Pick<Actor, 'username' | 'role'>;

/** The instances that a user may see, by the rule of `canAccess`: admins and ops all of them. */
export const visibleInstances = (db: ReadDatabase, { username, role }: Viewer): Knex.QueryBuilder => {
  const instances = db('instances');
  if (role !== 'analyst') return instances;
  return instances.whereRaw(`(access_mode = 'everyone' OR owner_username = ? OR ? = ANY(access_users))`, [
    username,
    username,
  ]);
};

export const isVisible = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<boolean> =>
  (await visibleInstances(db, viewer).where({ id }).first('id')) !== undefined;

/** An instance with the fields that determine its visibility. */
export interface InstanceWithAccess extends AccessControlled {
  readonly id: number;
  /** The life of the latest pod; null before the first one. */
  readonly podLife: number | null;
}

interface Row {
  readonly id: number;
  readonly owner_username: string;
  readonly pod_life: number | null;
  readonly access_mode: AccessControlled['access']['mode'];
  readonly access_users: readonly string[];
}

/** The instance of an id or slug, visible or not; null if it does not exist. */
export const findInstanceWithAccess = async (
  db: ReadDatabase,
  of: { readonly id: number } | { readonly url_slug: string },
): Promise<InstanceWithAccess | null> => {
  const columns = ['id', 'owner_username', 'pod_life', 'access_mode', 'access_users'];
  const row = await db('instances')
    .where(of)
    .first<Row | undefined>(...columns);
  if (row === undefined) return null;
  const { id, owner_username: ownerUsername, pod_life: podLife, access_mode: mode, access_users: users } = row;
  return { id, ownerUsername, podLife, access: { mode, users } };
};
