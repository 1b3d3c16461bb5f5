import { isRight } from 'fp-ts/Either';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiClient } from '../../client/web';
import { need } from './failure';
import { type Data, given, useAnswer } from './use-answer';
import { useSession } from './session';

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
  const query = { limit: 100, ...given(filter) };
  return useAnswer(
    ['graphs', query],
    async (api, signal) => {
      const answer = await api.listInstances({ query, signal });
      if (isRight(answer)) answer.right.data.forEach(measure);
      return answer;
    },
    { refetchInterval: LIVE_MS, keepPrevious: true },
  );
};

export const useGraph = (id: number) => {
  const { api } = useSession();
  return useQuery({
    queryKey: ['graph', id],
    queryFn: async ({ signal }) =>
      need(await api.getInstance({ params: { id }, signal }), ({ data }) => {
        measure(data);
        return data;
      }),
    refetchInterval: LIVE_MS,
  });
};

/** The steps of a start, polled more often than the rest. */
export const useProgress = (id: number) => {
  const { api } = useSession();
  return useQuery({
    queryKey: ['progress', id],
    queryFn: async ({ signal }) => need(await api.getInstanceProgress({ params: { id }, signal }), ({ data }) => data),
    refetchInterval: ({ state }) => (state.data?.status === 'failed' ? false : STARTING_MS),
  });
};

const EFFECTS: Readonly<Record<Data<'updateInstanceCpu'>['takes_effect'], string>> = {
  now: 'Resized.',
  pending: 'The new size takes effect at the next restart, or earlier.',
  at_next_start: 'The new size takes effect at the next restart.',
};

/** Changes the size of a graph; returns a text about when it takes effect. */
export const useResize = ({ id, cpu_cores, memory_gb }: GraphDetail) =>
  useChange(async (api, wanted: { readonly cores: number; readonly memory: number }) => {
    const params = { id };
    const read = ({ data }: { readonly data: Pick<Data<'updateInstanceCpu'>, 'takes_effect'> }): string =>
      EFFECTS[data.takes_effect];
    let effect = 'The graph already has this size.';
    if (wanted.cores !== cpu_cores)
      effect = need(await api.updateInstanceCpu({ params, body: { cpu_cores: wanted.cores } }), read);
    if (wanted.memory !== memory_gb)
      effect = need(await api.updateInstanceMemory({ params, body: { memory_gb: wanted.memory } }), read);
    return effect;
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
  const { data } = useQuery({
    queryKey: ['favorites', resource_type],
    queryFn: async ({ signal }) =>
      need(await api.listFavorites({ query: { resource_type }, signal }), ({ data: all }) =>
        all.map(({ resource_id }) => resource_id),
      ),
  });
  const { mutate } = useMutation({
    mutationFn: async ({ id, on }: { readonly id: number; readonly on: boolean }) => {
      if (on) need(await api.addFavorite({ body: { resource_type, resource_id: id } }), () => undefined);
      else need(await api.removeFavorite({ params: { resource_type, resource_id: id } }), () => undefined);
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['favorites'] }),
  });
  return { favorites: new Set(data ?? []), setFavorite: mutate };
};

/** A change through the API, after which all shown data is read again. */
export const useChange = <I, O>(change: (api: ApiClient, input: I) => Promise<O>) => {
  const { api } = useSession();
  const cache = useQueryClient();
  return useMutation({ mutationFn: (input: I) => change(api, input), onSuccess: () => cache.invalidateQueries() });
};

/** Starts a graph of a mapping; returns the id of the instance. */
export const startGraph = async (api: ApiClient, body: GraphRequest): Promise<number> =>
  need(await api.createInstance({ body }), ({ data }) => data.id);

/** Saves a mapping and starts a graph of it; returns the id of the instance. */
export const startMapping = async (
  api: ApiClient,
  mapping: Definitions,
  kind: GraphRequest['wrapper_type'],
): Promise<number> => {
  const { id, name } = need(await api.createMapping({ body: mapping }), ({ data }) => data);
  return startGraph(api, { mapping_id: id, name, wrapper_type: kind });
};

/** Starts the sample, with its existing mapping if there is one, and requests its query; returns the id of the instance. */
export const startSample = async (api: ApiClient, kind: GraphRequest['wrapper_type']): Promise<number> => {
  const { query, ...mapping } = need(await api.addSample(), ({ data }) => data);
  const same = need(await api.listMappings({ query: { search: mapping.name } }), ({ data }) =>
    data.find(({ name, description }) => name === mapping.name && description === mapping.description),
  );
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
