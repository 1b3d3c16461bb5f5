import { isLeft, left, right } from 'fp-ts/Either';
import { requestContext } from '../../../commands/command-context';
import { loadConfig } from '../../../commands/configure';
import { createMapping } from '../../../commands/create-mapping';
import { notFound } from '../../../domain/kernel/errors';
import { findMapping, findMappingVersion, listMappings } from '../../../queries/mappings';
import { type Handlers } from '../kit';
import { pageOf } from './codecs';
import { type mappingEndpoints } from './mapping-endpoints';
import { type Caller, type PublicDependencies } from './public-dependencies';

export const mappingHandlers = (deps: PublicDependencies): Handlers<typeof mappingEndpoints, Caller> => ({
  listMappings: async ({ query }) => {
    const page = pageOf(query);
    const { items, total } = await listMappings(
      deps.db,
      {
        owner: query.owner,
        search: query.search,
        createdAfter: query.created_after,
        createdBefore: query.created_before,
      },
      { ...page, sortBy: query.sort_by ?? 'created_at', sortOrder: query.sort_order ?? 'desc' },
    );
    return right({ body: items, page: { total, ...page } });
  },

  createMapping: async ({ body, identity, requestId }) => {
    const config = await loadConfig(deps.ports.store);
    if (isLeft(config)) return config;
    const created = await createMapping(
      deps.ports,
      {
        ownerName: identity.displayName ?? identity.username,
        name: body.name,
        description: body.description ?? '',
        ttl: body.ttl ?? null,
        inactivityTimeout: body.inactivity_timeout ?? null,
        limits: config.right.lifecycle.mapping,
        nodeDefinitions: body.node_definitions.map((node) => ({ ...node, properties: node.properties ?? [] })),
        edgeDefinitions: (body.edge_definitions ?? []).map((edge) => ({ ...edge, properties: edge.properties ?? [] })),
      },
      requestContext(deps.ports.ids, identity, requestId),
    );
    if (isLeft(created)) return created;
    const { mappingId, position, occurredAt } = created.right;
    return right({
      position,
      body: {
        id: mappingId,
        owner_username: identity.username,
        name: body.name,
        current_version: 1,
        created_at: occurredAt ?? '',
      },
    });
  },

  getMapping: async ({ params }) => {
    const mapping = await findMapping(deps.db, params.id);
    const version = mapping && (await findMappingVersion(deps.db, params.id, mapping.current_version));
    if (mapping === null || version === null) return left(notFound('mapping', params.id));
    const { node_definitions, edge_definitions } = version;
    return right({ body: { ...mapping, node_definitions, edge_definitions, version } });
  },
});
