import { arrayOf, farPage, INSTANCES, isFar, nearPage, orderOf, placedPage } from './instance-page';
import { findPlaces } from './instance-places';
import { BETWEEN, COUNT_ALL, findTexts, type InstanceTexts } from './instance-texts';
import { type ReadDatabase } from './kit/database';
import { keepUntilMoved } from './kit/keep';
import { type ListOptions, type ResourceFilters } from './kit/list';
import { type Fragment, readRows, type Statement } from './kit/statement';

export interface InstanceFilters extends ResourceFilters {
  readonly snapshotId?: number | undefined;
  readonly status?: string | undefined;
}

/** A page of instances. */
export interface InstancePage {
  /** JSON text of the array, put together of what was made when the instances changed (`projections/instance-listing.ts`). */
  readonly json: string;
  readonly total: number;
}

/** Instances with the latest reports of their pods. Ties are broken by id, instances without a report come last. */
export const listInstances = (
  db: ReadDatabase,
  filters: InstanceFilters,
  options: ListOptions,
): Promise<InstancePage> => {
  const list = (found: Found): Promise<InstancePage> => listFound(db, filters, options, found);
  if (filters.search === undefined) return list({ texts: null, places: null });
  if (isSearchOnly(filters)) return findPlaces(db, filters.search, options, list);
  return findTexts(db, filters.search, (texts) => list({ texts, places: null }));
};

const listFound = async (
  db: ReadDatabase,
  filters: InstanceFilters,
  options: ListOptions,
  found: Found,
): Promise<InstancePage> => {
  const between = hasDates(filters) && !isNarrow(filters) ? await countBetween(db, filters) : null;
  const known = { ...found, between };
  const total = await totalOf(db, filters, known);
  const [[count, items] = ['0', null]] = await readRows<Row>(db, listOf(filters, options, known, total));
  return { json: `[${items ?? ''}]`, total: Number(count) };
};

type Row = [total: string, items: string | null];

/** What the search finds, if there is one. */
interface Found {
  readonly texts: InstanceTexts | null;
  /** The ids of the page. */
  readonly places: readonly number[] | null;
}

/** What is known of the matches before the page is read. */
interface Known extends Found {
  /** Those created between the dates. */
  readonly between: Share | null;
}

const hasDates = ({ createdAfter, createdBefore }: InstanceFilters): boolean =>
  createdAfter !== undefined || createdBefore !== undefined;

/** Has few matches whatever else is asked. */
const isNarrow = ({ owner, snapshotId }: InstanceFilters): boolean => owner !== undefined || snapshotId !== undefined;

const isSearchOnly = (filters: InstanceFilters): boolean =>
  filters.status === undefined && !isNarrow(filters) && !hasDates(filters);

/** Numbers by owner and status, and by time, are kept by the projection, and come with the page; others are counted. */
const totalOf = async (db: ReadDatabase, filters: InstanceFilters, known: Known): Promise<Fragment> => {
  const { owner, status, snapshotId, search } = filters;
  if (known.texts !== null && isSearchOnly(filters)) return ['?::bigint', known.texts.count];
  if (known.texts === null && known.between !== null && status === undefined) return ['?::bigint', known.between.count];
  if (known.texts === null && !hasDates(filters) && snapshotId === undefined) return [COUNT, owner ?? '', status ?? ''];
  const [sql, ...values] = wantedBy(filters, known.texts, 'read');
  const count: Fragment = [`(SELECT count(*) FROM ${INSTANCES} ${sql})`, ...values];
  if (search === undefined) return count;
  return [
    '?::bigint',
    await keepUntilMoved(db, ['instances'], `instances ${JSON.stringify(filters)}`, () => numberOf(db, count)),
  ];
};

const COUNT = 'coalesce((SELECT count FROM read.instance_counts WHERE owner_username = ? AND status = ?), 0)';

const numberOf = async (db: ReadDatabase, count: Fragment): Promise<number> => {
  const [[counted] = ['0']] = await readRows<[string]>(db, { parts: [['SELECT'], count], isPlannedByValue: true });
  return Number(counted);
};

/** The page with the total, which is counted in the same moment where it is not known yet. */
const listOf = (filters: InstanceFilters, options: ListOptions, known: Known, total: Fragment): Statement => {
  const { texts, places } = known;
  const way = wayTo(filters, options, known);
  const wanted = wantedBy(filters, texts, way);
  // How many there are between two dates is all that tells an index apart from another.
  const isPlannedByValue = way === 'read' && texts === null && hasDates(filters) && options.sortBy !== 'created_at';
  const isByEntries = way === 'pass entries' || (way === 'read' && texts !== null) || isFar(options);
  const page =
    places !== null ? placedPage(places) : (isByEntries ? farPage : nearPage)(wanted, options, isPlannedByValue);
  const items = `string_agg(told || reported, ',' ORDER BY ${orderOf(options)})`;
  return { parts: [['SELECT'], total, [`, ${items} FROM (`], ...page, [') AS page']], isPlannedByValue };
};

/**
 * Read all matches and sort them; or go along the index of the order until the page is full, past entries that tell
 * whether they match, or past the instances.
 */
type Way = 'read' | 'pass entries' | 'pass instances';

/** Along the order, all / matches are passed for each one that is found; reading one takes as long as passing four entries. */
const wayTo = (filters: InstanceFilters, { sortBy, offset, limit }: ListOptions, { texts, between }: Known): Way => {
  const isLong = ({ count, of }: Share): boolean => count ** 2 > (offset + limit) * of;
  if (texts !== null) return isLong(texts) && !texts.lowered.includes(BETWEEN) ? 'pass instances' : 'read';
  if (!hasDates(filters) || sortBy === 'created_at') return 'read';
  return between === null || isLong({ count: 2 * between.count, of: between.of }) ? 'pass entries' : 'read';
};

/** How many of all instances. */
interface Share {
  readonly count: number;
  readonly of: number;
}

const wantedBy = (filters: InstanceFilters, texts: InstanceTexts | null, way: Way): Fragment => {
  const { owner, status, createdAfter, createdBefore, snapshotId } = filters;
  const dated = (comparison: string): string => (way === 'read' ? comparison : `(${comparison}) IS TRUE`);
  const wanted: Fragment[] = [];
  if (owner !== undefined) wanted.push(['owner_username = ?', owner]);
  if (status !== undefined) wanted.push(['status = ?', status]);
  if (createdAfter !== undefined) wanted.push([dated('created_at >= ?'), createdAfter]);
  if (createdBefore !== undefined) wanted.push([dated('created_at <= ?'), createdBefore]);
  if (snapshotId !== undefined) wanted.push(['snapshot_id = ?', snapshotId]);
  if (texts !== null && way === 'read') wanted.push(['id = ANY(?)', arrayOf(texts.ids.name)]);
  if (texts !== null && way !== 'read') wanted.push(['strpos(searched, ?) > 0', texts.lowered]);
  if (wanted.length === 0) return [''];
  return [`WHERE ${wanted.map(([sql]) => sql).join(' AND ')}`, ...wanted.flatMap(([, ...values]) => values)];
};

const countBetween = async (db: ReadDatabase, { createdAfter, createdBefore }: InstanceFilters): Promise<Share> => {
  const count: Fragment = [COUNT_BETWEEN, createdAfter ?? '-infinity', createdBefore ?? 'infinity'];
  const [row] = await readRows<[string, string | null]>(db, { parts: [count], isPlannedByValue: false });
  return { count: Number(row?.[0]), of: Number(row?.[1]) };
};

/** The minutes from the first to the last, without what lies outside in these two. */
const COUNT_BETWEEN = `
  SELECT greatest(0, coalesce(
      (SELECT sum(count) FROM read.instance_minutes
       WHERE minute >= date_trunc('minute', first, 'UTC') AND minute <= last), 0)
    - (SELECT count(*) FROM ${INSTANCES}
       WHERE created_at >= date_trunc('minute', first, 'UTC') AND created_at < first)
    - (SELECT count(*) FROM ${INSTANCES}
       WHERE created_at > last AND created_at < date_trunc('minute', last, 'UTC') + interval '1 minute')),
    ${COUNT_ALL}
  FROM (SELECT ?::timestamptz AS first, ?::timestamptz AS last) AS bounds`;
