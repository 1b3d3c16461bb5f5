import { LIVE_MS } from './graphs';
import { type Data, KEEP_PREVIOUS, useAnswer } from './use-answer';

export type Mapping = Data<'getMapping'>;
export type MappingVersion = Data<'getMappingVersion'>;
export type VersionDiff = Data<'diffMappingVersions'>;

/** The mappings that match a filter, newest first. */
export const useMappings = (filter: { readonly [name in 'search' | 'owner']?: string | undefined }) => {
  const query = { limit: 100, ...filter };
  return useAnswer(['mappings', query], (api, signal) => api.listMappings({ query, signal }), KEEP_PREVIOUS);
};

export const useMapping = (id: number) =>
  useAnswer(['mapping', id], (api, signal) => api.getMapping({ params: { id }, signal }));

export const useVersions = (id: number) =>
  useAnswer(['mapping', id, 'versions'], (api, signal) =>
    api.listMappingVersions({ params: { id }, query: { limit: 100 }, signal }),
  );

export const useVersion = (id: number, v: number) =>
  useAnswer(['mapping', id, 'version', v], (api, signal) => api.getMappingVersion({ params: { id, v }, signal }));

export const useVersionDiff = (id: number, v1: number, v2: number) =>
  useAnswer(['mapping', id, 'diff', v1, v2], (api, signal) =>
    api.diffMappingVersions({ params: { id, v1, v2 }, signal }),
  );

/** The snapshots and instances of all versions, polled. */
export const useMappingTree = (id: number) =>
  useAnswer(['mapping', id, 'tree'], (api, signal) => api.getMappingTree({ params: { id }, signal }), {
    refetchInterval: LIVE_MS,
  });
