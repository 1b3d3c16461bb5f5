import { type ApiClient } from '../../client/web';
import { type GraphRequest, startGraph, startMapping } from './graphs';
import { need } from './failure';

/** Starts the sample, with its existing mapping if there is one. */
export const startSample = async (
  api: ApiClient,
  kind: GraphRequest['wrapper_type'],
): Promise<{ readonly id: number; readonly query: string }> => {
  const { query, ...mapping } = need(await api.addSample(), ({ data }) => data);
  const same = need(await api.listMappings({ query: { search: mapping.name } }), ({ data }) =>
    data.find(({ name, description }) => name === mapping.name && description === mapping.description),
  );
  const id =
    same === undefined
      ? await startMapping(api, mapping, kind)
      : await startGraph(api, { mapping_id: same.id, name: same.name, wrapper_type: kind });
  return { id, query };
};
