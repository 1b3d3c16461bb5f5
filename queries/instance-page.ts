import { type ListOptions } from './kit/list';
import { type Fragment } from './kit/statement';

/** One row of each, with all that lists filter, sort and tell. */
export const INSTANCES = 'read.listed_instances';

/** Up to so many rows before the page it is cheaper to pass them than to look up those of the page by their ids. */
const FAR = 100;
export const isFar = ({ offset }: ListOptions): boolean => offset > FAR;

/** `isExact`: the statement is not prepared, so that its bounds need not be of a closed set. */
export const nearPage = (wanted: Fragment, options: ListOptions, isExact: boolean): readonly Fragment[] => [
  [`SELECT * FROM (SELECT * FROM ${INSTANCES}`],
  wanted,
  [
    `ORDER BY ${orderOf(options)} LIMIT ${bound(options.offset + options.limit, isExact)}) AS first ORDER BY ${orderOf(options)}`,
  ],
  ['OFFSET ? LIMIT ?', options.offset, options.limit],
];

/** Finds the place of the page in the index alone. */
export const farPage = (wanted: Fragment, options: ListOptions, isExact: boolean): readonly Fragment[] => [
  [
    `SELECT i.* FROM (SELECT id FROM (SELECT id, ${options.sortBy} FROM (SELECT id, ${options.sortBy} FROM ${INSTANCES}`,
  ],
  wanted,
  [`ORDER BY ${orderOf(options)} LIMIT ${bound(options.offset + options.limit, isExact)}) AS first`],
  [`ORDER BY ${orderOf(options)} OFFSET ? LIMIT ${bound(options.limit, isExact)}) AS second`, options.offset],
  [`ORDER BY ${orderOf(options)} LIMIT ?) AS place JOIN ${INSTANCES} AS i USING (id)`, options.limit],
];

/** The place of the page is known already. */
export const placedPage = (ids: readonly number[]): readonly Fragment[] => [
  [`SELECT * FROM ${INSTANCES} WHERE id = ANY(?)`, arrayOf(ids)],
];

/** What lists are sorted by, as the indexes have it. */
const SORTED_BY = new Map([
  ['name', ''],
  ['created_at', ''],
  ['status', ''],
  ['last_activity_at', 'NULLS LAST'],
  ['memory_usage_bytes', 'NULLS LAST'],
]);

export const orderOf = ({ sortBy, sortOrder }: Pick<ListOptions, 'sortBy' | 'sortOrder'>): string => {
  const nulls = SORTED_BY.get(sortBy);
  if (nulls === undefined) throw new Error(`Instances cannot be listed by ${sortBy}; add it to SORTED_BY.`);
  return `${sortBy} ${sortOrder} ${nulls}, id ${sortOrder}`;
};

/** A bound the planner can see. Prepared statements have one of a few, or they would be too many. */
const bound = (rows: number, isExact: boolean): number => {
  let rounded = 64;
  while (rounded < rows) rounded *= 4;
  return isExact ? rows : rounded;
};

export const arrayOf = (ids: readonly number[]): string => `{${ids.join()}}`;
