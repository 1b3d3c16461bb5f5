import { type ReadDatabase, toNumber } from './kit/database';
import { keepUntilMoved } from './kit/keep';
import { containing, type ListOptions, type ResourceFilters } from './kit/list';
import { firstColumn, type Statement } from './kit/statement';

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
export const listInstances = async (
  db: ReadDatabase,
  filters: InstanceFilters,
  options: ListOptions,
): Promise<InstancePage> => {
  const counting = countInstances(db, filters);
  const isSortedFirst = isSelective(filters, options) && (await counting) < manyFor(filters, options);
  const [total, rows] = await Promise.all([counting, firstColumn<string>(db, pageOf(filters, options, isSortedFirst))]);
  return { json: `[${rows.join()}]`, total };
};

/** Has a filter that may leave few matches and comes in no index together with the order of the list. */
const isSelective = ({ owner, search }: InstanceFilters, { sortBy }: ListOptions): boolean =>
  search !== undefined || (owner !== undefined && sortBy !== 'created_at');

/**
 * So many matches make it worth to look for the first ones in an index of the list's order. What a name contains has to
 * do with its place among the names: there the first ones may be far into the index.
 */
const manyFor = ({ search }: InstanceFilters, { sortBy }: ListOptions): number =>
  search !== undefined && sortBy === 'name' ? 20_000 : 2000;

/** The instance itself, what pods report of it beside the columns of most filters, and what is searched. */
const TABLES = { i: 'read.instances AS i', m: 'read.instance_measures AS m', t: 'read.instance_texts AS t' };
type Table = keyof typeof TABLES;

const SORTED_IN: Readonly<Record<string, 'i' | 'm'>> = {
  name: 'i',
  created_at: 'i',
  status: 'i',
  last_activity_at: 'm',
  memory_usage_bytes: 'm',
};

/** Finds the place of the page among narrow rows, all of them or the first ones of an index, before it reads the page. */
const pageOf = (filters: InstanceFilters, options: ListOptions, isSortedFirst: boolean): Statement => {
  const { sortBy, sortOrder, offset, limit } = options;
  const table = SORTED_IN[sortBy];
  if (table === undefined) throw new Error(`Instances cannot be listed by ${sortBy}; add it to SORTED_IN.`);
  const order = `${table}.${sortBy} ${sortOrder} ${table === 'm' ? 'NULLS LAST' : ''}, ${table}.id ${sortOrder}`;
  const from = isSortedFirst && sortBy === 'name' && isSearchOnly(filters) ? 't' : table;
  const { sql, values, isPlannedByValue } = matches(filters, from);
  const found = `SELECT ${from}.id, ${from}.${sortBy} ${sql}`;
  const most = isPlannedByValue ? offset + limit : roundedUp(offset + limit);
  return {
    sql: `WITH found AS ${
      isSortedFirst ? `MATERIALIZED (${found})` : `(${found} ORDER BY ${order} LIMIT ${most})`
    }, page AS (SELECT ${table}.* FROM found AS ${table} ORDER BY ${order} OFFSET ? LIMIT ?)
    SELECT i.listed || m.reported FROM page JOIN ${TABLES.i} USING (id) JOIN ${TABLES.m} USING (id) ORDER BY ${order}`,
    values: [...values, offset, limit],
    isPlannedByValue,
  };
};

const isSearchOnly = ({ search, owner, status, snapshotId, createdAfter, createdBefore }: InstanceFilters): boolean =>
  search !== undefined &&
  [owner, status, snapshotId, createdAfter, createdBefore].every((filter) => filter === undefined);

/** A bound the planner can see, one of a few: prepared statements with bounds of their own would be too many. */
const roundedUp = (rows: number): number => {
  let bound = 64;
  while (bound < rows) bound *= 4;
  return bound;
};

/** `FROM … WHERE …`. Filters on columns that two tables have are asked of `from`, whose index may give the order. */
const matches = (filters: InstanceFilters, from: Table): Statement => {
  const { owner, status, createdAfter, createdBefore, snapshotId, search } = filters;
  const wanted: (readonly [sql: string, ...values: Statement['values']])[] = [];
  if (owner !== undefined) wanted.push([`${from}.owner_username = ?`, owner]);
  if (status !== undefined) wanted.push([`${from}.status = ?`, status]);
  if (createdAfter !== undefined) wanted.push([`${from}.created_at >= ?`, createdAfter]);
  if (createdBefore !== undefined) wanted.push([`${from}.created_at <= ?`, createdBefore]);
  if (snapshotId !== undefined) wanted.push(['i.snapshot_id = ?', snapshotId]);
  if (search !== undefined) wanted.push(searchFor(search));
  const others = [...(snapshotId === undefined ? [] : ['i' as const]), ...(search === undefined ? [] : ['t' as const])];
  const joins = others.filter((other) => other !== from).map((other) => `JOIN ${TABLES[other]} USING (id)`);
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.map(([sql]) => sql).join(' AND ')}`;
  return {
    sql: `FROM ${[TABLES[from], ...joins].join(' ')} ${where}`,
    values: wanted.flatMap(([, ...values]) => values),
    isPlannedByValue: createdAfter !== undefined || createdBefore !== undefined || search !== undefined,
  };
};

/** `searched` has name and description with U+0001 between them: a text with that could be found across both. */
const searchFor = (search: string): readonly [string, ...Statement['values']] => {
  const pattern = containing(search);
  return search.includes('\u0001')
    ? ['t.id IN (SELECT id FROM read.instances WHERE name ILIKE ? OR description ILIKE ?)', pattern, pattern]
    : ['t.searched LIKE lower(?)', pattern];
};

const countInstances = (db: ReadDatabase, filters: InstanceFilters): Promise<number> => {
  const count = countOf(filters);
  const key = JSON.stringify([count.sql, count.values]);
  return keepUntilMoved(db, ['instances'], key, async () => toNumber((await firstColumn<string>(db, count))[0] ?? 0));
};

/** Numbers by owner and status, and by time, are kept by the projection; others are counted. */
const countOf = (filters: InstanceFilters): Statement => {
  const { owner, status, createdAfter, createdBefore, snapshotId, search } = filters;
  const isCounted = snapshotId === undefined && search === undefined;
  if (isCounted && createdAfter === undefined && createdBefore === undefined) {
    const ofOwner = owner === undefined ? 'true' : 'owner_username = ?';
    const inStatus = status === undefined ? 'true' : 'status = ?';
    return {
      sql: `SELECT coalesce(sum(count), 0) FROM read.instance_counts WHERE ${ofOwner} AND ${inStatus}`,
      values: [owner, status].filter((value) => value !== undefined),
      isPlannedByValue: false,
    };
  }
  if (isCounted && owner === undefined && status === undefined) {
    return {
      sql: COUNT_BY_MINUTE,
      values: [createdAfter ?? '-infinity', createdBefore ?? 'infinity'],
      isPlannedByValue: false,
    };
  }
  const found = matches(filters, isSearchOnly(filters) ? 't' : 'i');
  return { ...found, sql: `SELECT count(*) ${found.sql}` };
};

/** The minutes from the first to the last, without what lies outside in these two. */
const COUNT_BY_MINUTE = `
  SELECT greatest(0, coalesce(
      (SELECT sum(count) FROM read.instance_minutes
       WHERE minute >= date_trunc('minute', first, 'UTC') AND minute <= last), 0)
    - (SELECT count(*) FROM read.instances
       WHERE created_at >= date_trunc('minute', first, 'UTC') AND created_at < first)
    - (SELECT count(*) FROM read.instances
       WHERE created_at > last AND created_at < date_trunc('minute', last, 'UTC') + interval '1 minute'))
  FROM (SELECT ?::timestamptz AS first, ?::timestamptz AS last) AS bounds`;
