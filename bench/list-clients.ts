import { OWNERS, randomInstance } from './list-world';
import { plainConnection } from './plain-connection';

/** The duration of one request, as its client measures it. */
export interface Sample {
  readonly kind: string;
  readonly ms: number;
}

/** The output of the load process. */
export interface LoadReport {
  readonly samples: readonly Sample[];
  /** Processor time of the clients themselves. */
  readonly processorMs: number;
}

const SORTS = ['name', 'created_at', 'status', 'last_activity_at', 'memory_usage_bytes'];
const STATES = ['waiting_for_snapshot', 'starting', 'running', 'stopping', 'failed'];
const WORDS = ['fraud', 'ring 77', 'credit', 'travel ring 9', '8f3', 'nowhere'];

/**
 * Generates the load in a separate process: `node list-clients.js <url> <clients> <seconds> <lists|one instance>`.
 * Every client requests random lists, or instances, one after the other, and reads each answer to its end. Prints a
 * `LoadReport` as JSON.
 */
const main = async (): Promise<void> => {
  const [url = '', clients = '32', seconds = '10', what = 'lists'] = process.argv.slice(2);
  const samples: Sample[] = [];
  const end = performance.now() + Number(seconds) * 1000;
  const client = async (): Promise<void> => {
    const { hostname, port, host } = new URL(url);
    const { ask, close } = plainConnection(hostname, Number(port));
    while (performance.now() < end) {
      const { kind, path } = what === 'lists' ? randomList() : { kind: what, path: `/${randomInstance()}` };
      const sent = performance.now();
      await ask(`GET /api/instances${path} HTTP/1.1\r\nHost: ${host}\r\nX-Username: olivia\r\n\r\n`);
      samples.push({ kind, ms: performance.now() - sent });
    }
    close();
  };
  await Promise.all(Array.from({ length: Number(clients) }, client));
  const { user, system } = process.cpuUsage();
  const report: LoadReport = { samples, processorMs: (user + system) / 1000 };
  process.stdout.write(JSON.stringify(report));
};

const randomList = (): { readonly kind: string; readonly path: string } => {
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

void main();
