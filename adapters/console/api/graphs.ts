import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isRight } from 'fp-ts/Either';
import { type ApiClient } from '../../client/web';
import { need } from './failure';
import { useSession } from './session';
import { type Data, KEEP_PREVIOUS, useAnswer, useData } from './use-answer';

export type GraphSummary = Data<'listInstances'>[number];
export type GraphDetail = Data<'getInstance'>;
export type SizeChange = Data<'listInstanceEvents'>[number];
export type Progress = Data<'getInstanceProgress'>;
export type Definitions = Parameters<ApiClient['createMapping']>[0]['body'];
export type GraphRequest = Parameters<ApiClient['createInstance']>[0]['body'];

export interface GraphFilter {
  readonly search?: string | undefined;
  readonly status?: GraphSummary['status'] | undefined;
  readonly owner?: string | undefined;
}

/** Polling interval. */
export const LIVE_MS = 2_000;
const STARTING_MS = 500;

/** The instances that match a filter, newest first, polled while the page is visible. */
export const useGraphs = (filter: GraphFilter) => {
  const query = { limit: 100, ...filter };
  return useAnswer(
    ['graphs', query],
    async (api, signal) => {
      const answer = await api.listInstances({ query, signal });
      if (isRight(answer)) answer.right.data.forEach(measure);
      return answer;
    },
    { refetchInterval: LIVE_MS, ...KEEP_PREVIOUS },
  );
};

export const useGraph = (id: number) =>
  useData(
    ['graph', id],
    async (api, signal) => {
      const answer = await api.getInstance({ params: { id }, signal });
      if (isRight(answer)) measure(answer.right.data);
      return answer;
    },
    { refetchInterval: LIVE_MS },
  );

/** The steps of a start, polled more often than the rest. */
export const useProgress = (id: number) =>
  useData(['progress', id], (api, signal) => api.getInstanceProgress({ params: { id }, signal }), {
    refetchInterval: ({ state }) => (state.data?.status === 'failed' ? false : STARTING_MS),
  });

const EFFECTS: Readonly<Record<Data<'updateInstanceCpu'>['takes_effect'], string>> = {
  now: 'Resized.',
  pending: 'The new size takes effect at the next restart, or earlier.',
  at_next_start: 'The new size takes effect at the next restart.',
};

/** Changes the size of a graph; returns a text about when it takes effect. */
export const useResize = ({ id, cpu_cores, memory_gb }: GraphDetail) =>
  useChange(async (api, wanted: { readonly cores: number; readonly memory: number }) => {
    const params = { id };
    const { cores, memory } = wanted;
    const effects: (keyof typeof EFFECTS)[] = [];
    const add = ({ takes_effect }: Pick<Data<'updateInstanceCpu'>, 'takes_effect'>) => effects.push(takes_effect);
    // The memory first: its change is rejected more often, and then nothing has changed.
    if (memory !== memory_gb) add(await need(api.updateInstanceMemory({ params, body: { memory_gb: memory } })));
    if (cores !== cpu_cores) add(await need(api.updateInstanceCpu({ params, body: { cpu_cores: cores } })));
    const effect = effects.find((one) => one !== 'now') ?? effects[0];
    return effect === undefined ? 'The graph already has this size.' : EFFECTS[effect];
  });

/** The last changes of a graph's size, newest first. */
export const useSizeChanges = (id: number) =>
  useAnswer(['graph', id, 'sizes'], (api, signal) =>
    api.listInstanceEvents({ params: { id }, query: { limit: 5 }, signal }),
  );

/** Number of instances that the caller may still create. */
export const useQuota = () => useAnswer(['allowance'], (api, signal) => api.getUserInstanceStatus({ signal }));

/** Ids of the caller's favorites of a type, and a function that adds or removes one. */
export const useFavorites = (resource_type: 'instance' | 'mapping') => {
  const { api } = useSession();
  const cache = useQueryClient();
  const { data = [], error } = useData(['favorites', resource_type], (of, signal) =>
    of.listFavorites({ query: { resource_type, limit: 100 }, signal }),
  );
  const change = useMutation({
    mutationFn: async ({ id, on }: { readonly id: number; readonly on: boolean }) => {
      if (on) await need(api.addFavorite({ body: { resource_type, resource_id: id } }));
      else await need(api.removeFavorite({ params: { resource_type, resource_id: id } }));
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['favorites'] }),
  });
  return {
    favorites: new Set(data.map(({ resource_id }) => resource_id)),
    setFavorite: change.mutate,
    favoritesError: change.error ?? error,
  };
};

/** A change through the API, after which all shown data is read again; other pages do not show earlier answers. */
export const useChange = <I, O>(change: (api: ApiClient, input: I) => Promise<O>) => {
  const { api } = useSession();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => change(api, input),
    onSuccess: () => {
      cache.removeQueries({ type: 'inactive' });
      return cache.invalidateQueries();
    },
  });
};

/** Starts a graph of a mapping; returns the id of the instance. */
export const startGraph = async (api: ApiClient, body: GraphRequest): Promise<number> =>
  (await need(api.createInstance({ body }))).id;

/** Saves a mapping and starts a graph of it; returns the id of the instance. */
export const startMapping = async (
  api: ApiClient,
  mapping: Definitions,
  kind: GraphRequest['wrapper_type'],
): Promise<number> => {
  const { id, name } = await need(api.createMapping({ body: mapping }));
  return startGraph(api, { mapping_id: id, name, wrapper_type: kind });
};

/** Starts the sample, with its existing mapping if there is one, and requests its query; returns the id of the instance. */
export const startSample = async (api: ApiClient, kind: GraphRequest['wrapper_type']): Promise<number> => {
  const { query, ...mapping } = await need(api.addSample());
  const found = await need(api.listMappings({ query: { search: mapping.name } }));
  const same = found.find(({ name, description }) => name === mapping.name && description === mapping.description);
  const id =
    same === undefined
      ? await startMapping(api, mapping, kind)
      : await startGraph(api, { mapping_id: same.id, name: same.name, wrapper_type: kind });
  requestRun(id, query);
  return id;
};

/** The query that a click requested on a starting graph; not in the URL, because links must not run queries. */
const requested = new Map<number, string>();

export const requestRun = (instanceId: number, query: string): void => void requested.set(instanceId, query);

/** Returns the requested query, once. */
export const takeRequestedRun = (instanceId: number): string | null => {
  const query = requested.get(instanceId) ?? null;
  requested.delete(instanceId);
  return query;
};

/** Times in seconds, and a graph's usage at each time. */
type Measures = readonly [at: readonly number[], memoryGb: readonly number[], cores: readonly (number | null)[]];

const STEP_S = 10;
const MOST = 720;
const NONE: Measures = [[], [], []];
const known = new Map<number, Measures>();

/** Usage of a graph since the page was opened. */
export const measuresOf = (id: number): Measures => known.get(id) ?? NONE;

/** Records the current usage of a graph. */
const measure = ({ id, memory_usage_bytes: memory, cpu_usage_cores: cores }: Data<'listInstances'>[number]): void => {
  const [times, memories, used] = measuresOf(id);
  const now = Date.now() / 1000;
  if (memory === null || now - (times.at(-1) ?? 0) < STEP_S) return;
  const grown = <T>(before: readonly T[], next: T): readonly T[] => [...before, next].slice(-MOST);
  known.set(id, [grown(times, now), grown(memories, memory / 2 ** 30), grown(used, cores)]);
};
