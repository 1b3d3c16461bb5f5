import { OWNERS, randomInstance } from './list-world';

const SORTS = ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'];
const STATES = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed'];
const WORDS = ['fraud', 'ring 77', 'credit', 'travel ring 9', '8f3', 'nowhere'];

/** A list with a random filter and order: the filter, and the query. */
export const randomList = (): { readonly kind: string; readonly path: string } => {
  const sort = pick(SORTS);
  const [filter, value] = pick(FILTERS)();
  const query = new URLSearchParams({ sort_by: sort, sort_order: pick(['asc', 'desc']), ...value });
  if (Math.random() < 0.3) query.set('offset', String(pick([50, 100, 500])));
  return { kind: filter, path: `?${query.toString()}` };
};

const FILTERS: readonly (() => [string, Record<string, string>])[] = [
  () => ['all', {}],
  () => ['status', { status: pick(STATES) }],
  () => ['owner', { owner: `user-${Math.floor(Math.random() * OWNERS)}` }],
  () => ['owner and status', { owner: `user-${Math.floor(Math.random() * OWNERS)}`, status: pick(STATES) }],
  () => ['search', { search: pick(WORDS) }],
  () => ['snapshot', { snapshot_id: String(randomInstance()) }],
  () => ['dates', { created_after: hoursAgo(12 * Math.random()), created_before: hoursAgo(0) }],
];

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const pick = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};
