import { type Answer, type ApiClient } from './api-client';
import { Choice } from './choice';
import { type InProcessApi } from './in-process-api';
import { createMapping } from './instances';
import { person, townMapping } from './sample-mappings';

/** What the API answered to the user olivia when its read models showed the whole log, by path. */
export interface Moment {
  /** The position of the last event. */
  readonly at: string;
  readonly details: ReadonlyMap<string, unknown>;
  readonly lists: ReadonlyMap<string, unknown>;
}

const LISTS = ['mappings', 'instances', 'export-jobs', 'users', 'audit/events'].map((name) => `/api/${name}?limit=100`);
/** An analyst may have this many. */
const INSTANCES = 4;

/** The comparable part of an answer: its data, or the code of its error. The age of an instance depends on the clock. */
export const contentOf = ({ status, body }: Answer): unknown => {
  const { data, meta, error } = body as {
    readonly data?: object;
    readonly meta?: { readonly total?: number };
    readonly error?: { readonly code: string };
  };
  return JSON.parse(
    JSON.stringify({ status, data, total: meta?.total, code: error?.code }, (key, value: unknown) =>
      key === 'elapsed_seconds' ? undefined : value,
    ),
  );
};

/** The position of the last event, which the error for a later one names. */
const endOfLog = async (olivia: ApiClient): Promise<string> => {
  const { body } = await olivia.send('GET', `/api/favorites?as_of=${2n ** 62n}`);
  return /the end of the log, (\d+)/.exec(JSON.stringify(body))?.[1] ?? '';
};

/** Random changes by olivia and ada in a system without workers and pods, and the answers after each of them. */
export const recordMoments = async (api: InProcessApi, count: number, seed: number): Promise<readonly Moment[]> => {
  const [olivia, ada] = [api.as('olivia'), api.as('ada')];
  const choice = new Choice(seed);
  const mappings: number[] = [];
  let instances = 0;
  const anyInstance = (): string => `/api/instances/${1 + choice.below(INSTANCES)}`;
  const anyMapping = (): string => `/api/mappings/${choice.of(mappings)}`;
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => mappings.push(await createMapping(ada, townMapping)),
    async () => {
      // The mapping may be deleted, and the limit be reached.
      const body = { mapping_id: choice.of(mappings), name: 'instance', wrapper_type: 'graphdb_a' };
      const { status } = await ada.send('POST', '/api/instances', { body });
      if (status === 201) instances += 1;
    },
    () => ada.send('PUT', anyMapping(), { body: { name: `Town ${choice.below(99)}` } }),
    () =>
      ada.send('PUT', anyMapping(), {
        body: { change_description: 'more', node_definitions: [person], edge_definitions: [] },
      }),
    () => ada.send('PUT', anyInstance(), { body: { name: `Graph ${choice.below(99)}` } }),
    () => ada.send('PUT', `${anyInstance()}/lifecycle`, { body: { ttl: 'P2D' } }),
    () => ada.send('DELETE', anyInstance()),
    () => ada.send('DELETE', anyMapping()),
    () =>
      olivia.send('POST', '/api/favorites', {
        body: { resource_type: choice.of(['mapping', 'instance']), resource_id: 1 + choice.below(3) },
      }),
    () => olivia.send('DELETE', `/api/favorites/mapping/${1 + choice.below(3)}`),
    () => olivia.send('PUT', '/api/users/bob', { body: { display_name: `Bob ${choice.below(99)}` } }),
    () =>
      olivia.send('PUT', '/api/config/concurrency', {
        body: { per_analyst: 3 + choice.below(9), cluster_total: 50 },
      }),
    () => olivia.send('PUT', '/api/config/export', { body: { max_duration_seconds: 60 + choice.below(99) } }),
  ];
  const details = (): readonly string[] => [
    ...['/api/users/bob', '/api/favorites', '/api/config/concurrency', '/api/config/export', '/api/config/lifecycle'],
    '/api/config/maintenance',
    ...[1, 2, 3].map((id) => `/api/mappings/${id}`),
    ...Array.from({ length: Math.min(INSTANCES, instances) }, (_, index) => [
      `/api/instances/${index + 1}`,
      `/api/snapshots/${index + 1}`,
    ]).flat(),
  ];

  /** The processes continue after an answer: a moment is recorded when the answers show all of the log. */
  const record = async (): Promise<Moment> => {
    for (;;) {
      const at = await endOfLog(olivia);
      const paths = [...details(), ...LISTS];
      const answers = await Promise.all(paths.map((path) => olivia.send('GET', path)));
      const isWhole = answers.every(({ headers }) => String(headers['x-event-position']) === at);
      if (!isWhole || (await endOfLog(olivia)) !== at) continue;
      const contents = paths.map((path, index) => [path, contentOf(answers[index]!)] as const);
      return {
        at,
        details: new Map(contents.slice(0, -LISTS.length)),
        lists: new Map(contents.slice(-LISTS.length)),
      };
    }
  };

  await steps[0]!();
  await steps[1]!();
  const moments: Moment[] = [];
  while (moments.length < count) {
    await choice.of(steps)();
    moments.push(await record());
  }
  return moments;
};
