import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiClient } from '../../client/web';
import { need } from './failure';
import { useSession } from './session-context';
import { type Data } from './use-answer';

export type GraphSummary = Data<'listInstances'>[number];
export type GraphDetail = Data<'getInstance'>;
export type Progress = Data<'getInstanceProgress'>;
export type Definitions = Parameters<ApiClient['createMapping']>[0]['body'];
export type GraphRequest = Parameters<ApiClient['createInstance']>[0]['body'];

export interface GraphFilter {
  readonly search?: string | undefined;
  readonly status?: GraphSummary['status'] | undefined;
  readonly owner?: string | undefined;
}

/** How often what is shown is read again. */
export const LIVE_MS = 2_000;
const STARTING_MS = 500;

/** The instances of a filter, newest first, live while the page is visible. */
export const useGraphs = ({ search, status, owner }: GraphFilter) => {
  const { api } = useSession();
  const query = {
    limit: 100,
    ...(search === undefined ? {} : { search }),
    ...(status === undefined ? {} : { status }),
    ...(owner === undefined ? {} : { owner }),
  };
  return useQuery({
    queryKey: ['graphs', query],
    queryFn: async ({ signal }) =>
      need(await api.listInstances({ query, signal }), ({ data, page }) => ({ data, page })),
    refetchInterval: LIVE_MS,
    placeholderData: (before) => before,
  });
};

export const useGraph = (id: number) => {
  const { api } = useSession();
  return useQuery({
    queryKey: ['graph', id],
    queryFn: async ({ signal }) => need(await api.getInstance({ params: { id }, signal }), ({ data }) => data),
    refetchInterval: LIVE_MS,
  });
};

/** The steps of a start, more often than the rest. */
export const useProgress = (id: number) => {
  const { api } = useSession();
  return useQuery({
    queryKey: ['progress', id],
    queryFn: async ({ signal }) => need(await api.getInstanceProgress({ params: { id }, signal }), ({ data }) => data),
    refetchInterval: ({ state }) => (state.data?.status === 'failed' ? false : STARTING_MS),
  });
};

const EFFECTS: Readonly<Record<Data<'updateInstanceCpu'>['takes_effect'], string>> = {
  now: 'The new size is in force.',
  pending: 'The new size takes effect at the next start at the latest.',
  at_next_start: 'The new size takes effect at the next start.',
};
const resizedKey = (id: number) => ['resized', id] as const;

/** When a resize made in this page takes effect, in words; null after the next start. */
export const useResizeEffect = ({ id, started_at }: Pick<GraphSummary, 'id' | 'started_at'>): string | null => {
  const { data } = useQuery<{ readonly words: string; readonly startedAt: string | null }>({
    queryKey: resizedKey(id),
    queryFn: skipToken,
    gcTime: Infinity,
  });
  return data !== undefined && data.startedAt === started_at ? data.words : null;
};

/** Gives a graph another size. */
export const useResize = ({ id, started_at: startedAt, cpu_cores, memory_gb }: GraphDetail) => {
  const cache = useQueryClient();
  return useChange(async (api, wanted: { readonly cores: number; readonly memory: number }) => {
    const params = { id };
    const remember = ({ data }: { readonly data: Pick<Data<'updateInstanceCpu'>, 'takes_effect'> }) =>
      cache.setQueryData(resizedKey(id), { words: EFFECTS[data.takes_effect], startedAt });
    if (wanted.cores !== cpu_cores)
      need(await api.updateInstanceCpu({ params, body: { cpu_cores: wanted.cores } }), remember);
    if (wanted.memory !== memory_gb)
      need(await api.updateInstanceMemory({ params, body: { memory_gb: wanted.memory } }), remember);
  });
};

/** How many instances the caller may still have. */
export const useAllowance = () => {
  const { api } = useSession();
  return useQuery({
    queryKey: ['allowance'],
    queryFn: async ({ signal }) => need(await api.getUserInstanceStatus({ signal }), ({ data }) => data),
  });
};

/** Ids of the caller's favorites of a kind, and a switch for one of them. */
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

/** A change of the API, after which everything shown is read again. */
export const useChange = <I, O>(change: (api: ApiClient, input: I) => Promise<O>) => {
  const { api } = useSession();
  const cache = useQueryClient();
  return useMutation({ mutationFn: (input: I) => change(api, input), onSuccess: () => cache.invalidateQueries() });
};

/** Starts a graph of a mapping; the id of the instance. */
export const startGraph = async (api: ApiClient, body: GraphRequest): Promise<number> =>
  need(await api.createInstance({ body }), ({ data }) => data.id);

/** Saves a mapping and starts a graph of it; the id of the instance. */
export const startMapping = async (
  api: ApiClient,
  mapping: Definitions,
  kind: GraphRequest['wrapper_type'],
): Promise<number> => {
  const { id, name } = need(await api.createMapping({ body: mapping }), ({ data }) => data);
  return startGraph(api, { mapping_id: id, name, wrapper_type: kind });
};
