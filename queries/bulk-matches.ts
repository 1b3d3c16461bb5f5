import { type BulkFilters, type BulkResource } from '../domain/cleanup';
import { type ReadDatabase } from './kit/database';
import { countRows } from './kit/list';

const TABLES: Readonly<Record<BulkResource, string>> = {
  instance: 'instances',
  snapshot: 'snapshots',
  mapping: 'mappings',
};

export interface BulkMatch {
  readonly id: number;
  readonly name: string;
}

/** The number of matches of a bulk deletion, and the first `limit` of them by id. */
export const findBulkMatches = async (
  db: ReadDatabase,
  resource: BulkResource,
  filters: BulkFilters,
  now: Date,
  limit: number,
): Promise<{ readonly matchedCount: number; readonly matches: readonly BulkMatch[] }> => {
  const { namePrefix, createdBy, olderThanHours, status } = filters;
  const query = db(TABLES[resource]);
  if (namePrefix !== null) query.whereRaw('starts_with(name, ?)', [namePrefix]);
  if (createdBy !== null) query.where('owner_username', createdBy);
  if (olderThanHours !== null) query.where('created_at', '<=', hoursBefore(now, olderThanHours));
  if (status !== null) query.where('status', status);
  const matches = await query.clone().orderBy('id').limit(limit).select<BulkMatch[]>('id', 'name');
  const matchedCount = matches.length < limit ? matches.length : Math.max(limit, await countRows(query));
  return { matchedCount, matches };
};

/** The time this many hours ago, at the earliest 1970: PostgreSQL cannot represent every earlier time. */
const hoursBefore = (now: Date, hours: number): Date => new Date(Math.max(0, now.getTime() - hours * 3_600_000));

/** All resources of one kind owned by these users; `storagePath` for snapshots. */
export const listOwned = async (
  db: ReadDatabase,
  resource: BulkResource,
  usernames: readonly string[],
): Promise<readonly { readonly id: number; readonly storagePath: string | null }[]> => {
  const rows = await db(TABLES[resource])
    .whereIn('owner_username', [...usernames])
    .orderBy('id')
    .select<{ id: number; storage_path?: string }[]>('*');
  return rows.map(({ id, storage_path }) => ({ id, storagePath: storage_path ?? null }));
};
