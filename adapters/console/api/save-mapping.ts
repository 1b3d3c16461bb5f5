import { type ApiClient } from '../../client/web';
import { need } from './failure';
import { type Definitions } from './graphs';
import { type Draft } from './mapping-draft';
import { type Mapping } from './mappings';

/** Creates a mapping, or changes one: it gets a new version only if its definitions differ. Returns its id. */
export const saveMapping = async (
  api: ApiClient,
  base: Mapping | null,
  { name, description, change }: Pick<Draft, 'name' | 'description' | 'change'>,
  definitions: Pick<Definitions, 'node_definitions' | 'edge_definitions'>,
): Promise<number> => {
  const texts = { name: name.trim(), description };
  if (base === null)
    return need(await api.createMapping({ body: { ...texts, ...definitions } }), ({ data }) => data.id);
  const { node_definitions, edge_definitions } = base.version;
  const isSame = JSON.stringify(definitions) === JSON.stringify({ node_definitions, edge_definitions });
  const version = isSame ? {} : { ...definitions, change_description: change.trim() || null };
  const body = { ...texts, ...version };
  return need(await api.updateMapping({ params: { id: base.id }, body }), ({ data }) => data.id);
};
