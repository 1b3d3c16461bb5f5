import { OWNERS, randomInstance } from './list-world';

const SORTS = ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'];
const STATES = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed'];
const WORDS = ['fraud', 'ring 77', 'credit', 'travel ring 9', '8f3', 'nowhere'];

/** The query of a list with a random filter and order. */
export const randomList = (): string => {
  const filter = pick(FILTERS)();
  const query = new URLSearchParams({ sort_by: pick(SORTS), sort_order: pick(['asc', 'desc']), ...filter });
  if (Math.random() < 0.3) query.set('offset', String(pick([50, 100, 500])));
  return `?${query.toString()}`;
};

const randomOwner = (): string => `user-${Math.floor(Math.random() * OWNERS)}`;

const FILTERS: readonly (() => Record<string, string>)[] = [
  () => ({}),
  () => ({ status: pick(STATES) }),
  () => ({ owner: randomOwner() }),
  () => ({ owner: randomOwner(), status: pick(STATES) }),
  () => ({ search: pick(WORDS) }),
  () => ({ snapshot_id: String(randomInstance()) }),
  () => ({ created_after: hoursAgo(12 * Math.random()), created_before: hoursAgo(0) }),
];

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const pick = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};
