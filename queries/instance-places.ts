import { arrayOf, INSTANCES, orderOf } from './instance-page';
import { findTexts, idsIn, type InstanceTexts, isTextOrder } from './instance-texts';
import { type ReadDatabase } from './kit/database';
import { keeper } from './kit/keep';
import { type ListOptions } from './kit/list';
import { readRows } from './kit/statement';

/** What a search alone finds. */
export interface InstancePlaces {
  readonly texts: InstanceTexts;
  /** The ids of the page; null if the instances found are not kept in the order it has. */
  readonly places: readonly number[] | null;
}

/** Up to so many are sorted sooner than the order's index is walked past all others. */
const FEW = 2000;

const keepOrders = keeper(128);

/** The texts' own orders are kept with them; others are kept of few, until an event or a report comes. */
export const findPlaces = async (
  db: ReadDatabase,
  search: string,
  { sortBy, sortOrder, offset, limit }: ListOptions,
): Promise<InstancePlaces> => {
  if (isTextOrder(sortBy)) {
    const texts = await findTexts(db, search);
    const ids = texts.ids[sortBy];
    if (sortOrder === 'asc') return { texts, places: ids.slice(offset, offset + limit) };
    const end = Math.max(0, ids.length - offset);
    return { texts, places: ids.slice(Math.max(0, end - limit), end) };
  }
  const order = orderOf({ sortBy, sortOrder });
  const sources = ['instances', 'instance texts', 'instance reports'];
  const { texts, ids } = await keepOrders(db, sources, `${order} ${search}`, async () => {
    const found = await findTexts(db, search);
    return { texts: found, ids: found.count > FEW ? null : await inOrder(db, found.ids.name, order) };
  });
  return { texts, places: ids?.slice(offset, offset + limit) ?? null };
};

const inOrder = async (db: ReadDatabase, ids: readonly number[], order: string): Promise<readonly number[]> => {
  const sql = `SELECT string_agg(id::text, ',' ORDER BY ${order}) FROM ${INSTANCES} WHERE id = ANY(?)`;
  const rows = readRows<[string | null]>(db, { parts: [[sql, arrayOf(ids)]], isPlannedByValue: false });
  const [[list] = [null]] = await rows;
  return idsIn(list);
};
