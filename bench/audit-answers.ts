import { type Pool } from 'pg';
import { hasManyRestarts } from './audit-world';
import { type Figure, quantile, rounded } from './figure';
import { plainConnection } from './plain-connection';

const GOAL_MS = { page: 50, moment: 100, why: 100 };
/** How often each page is requested, after a first time. */
const REPEATS = 4;
const RESOURCES = 40;

/** Audit pages by no filter, each filter and each pair of filters; details of earlier moments; trees of causes. */
export const measureAnswers = async (
  pool: Pool,
  url: string,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const { hostname, port, host } = new URL(url);
  const { ask, close } = plainConnection(hostname, Number(port));
  const timeOf: TimeOf = async (path, username = 'olivia') => {
    const sent = performance.now();
    await ask(`GET /api${path} HTTP/1.1\r\nHost: ${host}\r\nX-Username: ${username}\r\n\r\n`);
    return performance.now() - sent;
  };
  try {
    say('pages of the audit trail');
    const pages = await measurePages(pool, timeOf);
    say('details of earlier moments, and causes');
    return [...pages, ...(await measureMoments(pool, timeOf)), ...(await measureCauses(pool, timeOf))];
  } finally {
    close();
  }
};

/** The time of the answer at a path. */
type TimeOf = (path: string, username?: string) => Promise<number>;

/** Values with many, few and no events. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  actor: ['system:snapshot_export', 'user-0', 'anna', 'absent'],
  role: ['system', 'analyst', 'admin', 'ops'],
  resource_type: ['process', 'instance', 'config', 'bulk_deletion'],
  resource_id: ['cluster', 'instance_startup-10', '7', 'absent'],
  type: ['ProcessInputReceived', 'InstanceRequested', 'MappingHeaderChanged', 'FavoriteRemoved'],
  correlation_id: ['00000000-0000-7000-8000-000000000000', 'absent'],
};
const DAY_MS = 86_400_000;

const measurePages = async (pool: Pool, timeOf: TimeOf): Promise<readonly Figure[]> => {
  const { rows } = await pool.query<{ ms: string; position: string; correlation_id: string; first: Date; last: Date }>(
    `SELECT (extract(epoch FROM recorded_at) * 1000)::bigint AS ms, position, metadata ->> 'correlationId' AS correlation_id,
       (SELECT min(recorded_at) FROM es.events) AS first, (SELECT max(recorded_at) FROM es.events) AS last
     FROM es.events ORDER BY position OFFSET (SELECT count(*) FROM es.events) / 2 LIMIT 1`,
  );
  const [middle] = rows;
  if (middle === undefined) throw new Error('The log is empty.');
  const { first, last, correlation_id } = middle;
  const days = (date: Date, count: number): string => new Date(date.getTime() + count * DAY_MS).toISOString();
  const times = [
    `from=${days(last, -1)}`,
    `to=${days(first, 1)}`,
    `from=${days(first, 1)}&to=${days(last, -1)}`,
    `from=${days(last, 9)}`,
  ];
  const filters = [
    ...Object.entries(FILTERS).map(([name, values]) =>
      [...values, ...(name === 'correlation_id' ? [correlation_id] : [])].map((value) => `${name}=${value}`),
    ),
    times,
  ];
  const pairs = filters.flatMap((queries, index) =>
    filters
      .slice(index + 1)
      .flat()
      .flatMap((other) => queries.map((query) => `${query}&${other}`)),
  );
  const all: Timed[] = [];
  for (const query of ['', ...filters.flat(), ...pairs])
    for (const cursor of ['', `&cursor=${middle.ms}-${middle.position}`])
      all.push(...(await repeat(timeOf, `/audit/events?limit=100&${query}${cursor}`)));
  return [...summaryOf('audit page', all, GOAL_MS.page), slowestOf(all)];
};

interface Timed {
  readonly path: string;
  readonly ms: number;
}

/** The times of a page that was requested once before. */
const repeat = async (timeOf: TimeOf, path: string, username?: string): Promise<readonly Timed[]> => {
  await timeOf(path, username);
  const times: Timed[] = [];
  while (times.length < REPEATS) times.push({ path, ms: await timeOf(path, username) });
  return times;
};

/** The page whose requests are slow each time: one slow request is often the machine's. */
const slowestOf = (all: readonly Timed[]): Figure => {
  const paths = [...new Set(all.map(({ path }) => path))];
  const medians = paths.map((path) => ({ path, ms: quantile(msOf(all.filter((one) => one.path === path)), 0.5) }));
  const [slowest] = medians.sort((a, b) => b.ms - a.ms);
  return { what: `audit page, slowest: ${slowest?.path ?? ''}`, value: rounded(slowest?.ms ?? 0), unit: 'ms' };
};

const msOf = (times: readonly Timed[]): readonly number[] => times.map(({ ms }) => ms);

const summaryOf = (what: string, times: readonly Timed[], atMost: number): readonly Figure[] => [
  { what: `${what}, p50`, value: rounded(quantile(msOf(times), 0.5)), unit: 'ms' },
  { what: `${what}, p95`, value: rounded(quantile(msOf(times), 0.95)), unit: 'ms', goal: { atMost } },
];

/** The streams of details, and their paths. */
const DETAILS = {
  mapping: { stream: 'mapping-%', path: (id: string) => `/mappings/${id}` },
  snapshot: { stream: 'snapshot-%', path: (id: string) => `/snapshots/${id}` },
  instance: { stream: 'instance-%', path: (id: string) => `/instances/${id}` },
  user: { stream: 'user-user-%', path: (id: string) => `/users/${id}` },
  config: { stream: 'config-%', path: () => '/config/export' },
  favorites: { stream: 'favorites-%', path: () => '/favorites' },
} as const;

/** Each as it was in the middle of its events. */
const measureMoments = async (pool: Pool, timeOf: TimeOf): Promise<readonly Figure[]> => {
  const all: Timed[] = [];
  const figures: Figure[] = [];
  for (const [name, { stream, path }] of Object.entries(DETAILS)) {
    const { rows } = await pool.query<{ id: string; position: string }>(
      `SELECT substr(s.stream_id, strpos(s.stream_id, '-') + 1) AS id, e.position
       FROM (SELECT * FROM es.streams WHERE stream_id LIKE $1 ORDER BY md5(stream_id) LIMIT ${RESOURCES}) s
       JOIN es.events e ON e.stream_id = s.stream_id AND e.revision = s.revision / 2`,
      [stream],
    );
    const times: Timed[] = [];
    for (const { id, position } of rows) {
      const reader = name === 'favorites' ? id : undefined;
      times.push(...(await repeat(timeOf, `${path(id)}?as_of=${position}`, reader)));
    }
    figures.push(...summaryOf(`as of, ${name}`, times, GOAL_MS.moment));
    all.push(...times);
  }
  return [...summaryOf('as of', all, GOAL_MS.moment), ...figures];
};

/** Instances with many restarts: running and deleted ones. */
const measureCauses = async (pool: Pool, timeOf: TimeOf): Promise<readonly Figure[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT substr(stream_id, 10) AS id FROM es.streams WHERE stream_id LIKE 'instance-%' ORDER BY md5(stream_id)`,
  );
  const restarted = rows.filter(({ id }) => hasManyRestarts(Number(id))).slice(0, RESOURCES);
  const all: Timed[] = [];
  for (const { id } of restarted) all.push(...(await repeat(timeOf, `/instances/${id}/why`)));
  return summaryOf('why', all, GOAL_MS.why);
};
