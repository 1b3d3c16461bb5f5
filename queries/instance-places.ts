import { arrayOf, INSTANCES, orderOf } from './instance-page';
import { findTexts, idsIn, type InstanceTexts, isTextOrder } from './instance-texts';
import { type ReadDatabase } from './kit/database';
import { keeper } from './kit/keep';
import { type ListOptions } from './kit/list';
import { type Fragment, readRows } from './kit/statement';

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
export const findPlaces = <B>(
  db: ReadDatabase,
  search: string,
  { sortBy, sortOrder, offset, limit }: ListOptions,
  use: (found: InstancePlaces) => Promise<B>,
): Promise<B> => {
  if (isTextOrder(sortBy)) {
    return findTexts(db, search, (texts) => {
      const ids = texts.ids[sortBy];
      if (sortOrder === 'asc') return use({ texts, places: ids.slice(offset, offset + limit) });
      const end = Math.max(0, ids.length - offset);
      return use({ texts, places: ids.slice(Math.max(0, end - limit), end) });
    });
  }
  const order = orderOf({ sortBy, sortOrder });
  return keepOrders(
    db,
    ['instances', 'instance texts', 'instance reports'],
    `${order} ${search}`,
    () => findTexts(db, search, async (texts) => ({ texts, ids: await inOrder(db, texts, order) })),
    ({ texts, ids }) => use({ texts, places: ids?.slice(offset, offset + limit) ?? null }),
  );
};

const inOrder = async (db: ReadDatabase, texts: InstanceTexts, order: string): Promise<readonly number[] | null> => {
  if (texts.count > FEW) return null;
  const sql = `SELECT string_agg(id::text, ',' ORDER BY ${order}) FROM ${INSTANCES} WHERE id = ANY(?)`;
  const parts: readonly Fragment[] = [[sql, arrayOf(texts.ids.name)]];
  const [[list] = [null]] = await readRows<[string | null]>(db, { parts, isPlannedByValue: false });
  return idsIn(list);
};
