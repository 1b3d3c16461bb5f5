import { isLeft, left, right } from 'fp-ts/Either';
import { changeMapping } from '../../../../commands/mapping/change-mapping';
import { loadConfig } from '../../../../commands/config/configure';
import { copyMapping, type CreatedMapping, createMapping } from '../../../../commands/mapping/create-mapping';
import { deleteMapping } from '../../../../commands/mapping/delete-mapping';
import { notFound } from '../../../../domain/kernel/errors';
import { findMapping, findMappingVersion, listMappings } from '../../../../queries/mappings';
import { replyChange, replyPage } from '../codecs';
import { type mappingEndpoints } from './endpoints';
import { type ApiCaller, type PublicDependencies, type PublicHandlers } from '../public-dependencies';

type Operations = PublicHandlers<typeof mappingEndpoints>;

export const mappingHandlers = (deps: PublicDependencies): Operations => ({
  ...reading(deps),
  ...creating(deps),
  ...changing(deps),
});

const reading = (deps: PublicDependencies): Pick<Operations, 'listMappings' | 'getMapping'> => ({
  listMappings: ({ query }) => replyPage(query, (page) => listMappings(deps.db, query, page)),

  getMapping: async ({ params }) => {
    const mapping = await findMapping(deps.db, params.id);
    const version = mapping && (await findMappingVersion(deps.db, params.id, mapping.current_version));
    if (mapping === null || version === null) return left(notFound('mapping', params.id));
    const { node_definitions, edge_definitions } = version;
    return right({ body: { ...mapping, node_definitions, edge_definitions, version } });
  },
});

const creating = (deps: PublicDependencies): Pick<Operations, 'createMapping' | 'copyMapping'> => ({
  createMapping: async ({ body, identity }) => {
    const config = await loadConfig(deps.ports.store);
    if (isLeft(config)) return config;
    const created = await createMapping(
      deps.ports,
      {
        ownerName: nameOf(identity),
        name: body.name,
        description: body.description ?? '',
        ttl: body.ttl ?? null,
        inactivityTimeout: body.inactivity_timeout ?? null,
        limits: config.right.lifecycle.mapping,
        nodeDefinitions: body.node_definitions.map(withProperties),
        edgeDefinitions: (body.edge_definitions ?? []).map(withProperties),
      },
      identity.context,
    );
    return isLeft(created) ? created : right(createdReply(created.right, identity, body.name));
  },

  copyMapping: async ({ params, body, identity }) => {
    const config = await loadConfig(deps.ports.store);
    if (isLeft(config)) return config;
    const copy = { name: body.name, ownerName: nameOf(identity), limits: config.right.lifecycle.mapping };
    const copied = await copyMapping(deps.ports, params.id, copy, identity.context);
    return isLeft(copied) ? copied : right(createdReply(copied.right, identity, body.name));
  },
});

type Change = 'updateMapping' | 'deleteMapping' | 'setMappingLifecycle';

const changing = (deps: PublicDependencies): Pick<Operations, Change> => ({
  updateMapping: async ({ params, body, identity }) => {
    const updated = await changeMapping(
      deps.ports,
      params.id,
      {
        type: 'UpdateMapping',
        actorName: nameOf(identity),
        name: body.name ?? null,
        description: body.description ?? null,
        changeDescription: body.change_description ?? null,
        nodeDefinitions: body.node_definitions?.map(withProperties) ?? null,
        edgeDefinitions: body.edge_definitions?.map(withProperties) ?? null,
      },
      identity.context,
    );
    return replyChange(updated, 'mapping', params.id, ({ versions }) => ({ current_version: versions.length }));
  },

  deleteMapping: async ({ params, identity }) => {
    const reason = `deleted by ${identity.username}`;
    const deleted = await deleteMapping(deps.ports, params.id, reason, identity.context);
    return isLeft(deleted) ? deleted : right({ position: deleted.right.position, body: { deleted: true as const } });
  },

  setMappingLifecycle: async ({ params, body, identity }) => {
    const config = await loadConfig(deps.ports.store);
    if (isLeft(config)) return config;
    const limits = config.right.lifecycle.mapping;
    const asked = { type: 'SetMappingLifecycle', ttl: body.ttl, inactivityTimeout: body.inactivity_timeout } as const;
    const changed = await changeMapping(deps.ports, params.id, { ...asked, limits }, identity.context);
    return replyChange(changed, 'mapping', params.id, ({ ttl, inactivityTimeout }) => ({
      ttl,
      inactivity_timeout: inactivityTimeout,
    }));
  },
});

const nameOf = ({ displayName, username }: ApiCaller): string => displayName ?? username;

const withProperties = <D extends { readonly properties?: readonly P[] }, P>(definition: D) => ({
  ...definition,
  properties: definition.properties ?? [],
});

const createdReply = ({ mappingId, position, occurredAt }: CreatedMapping, { username }: ApiCaller, name: string) => ({
  position,
  body: {
    id: mappingId,
    owner_username: username,
    name,
    current_version: 1,
    created_at: occurredAt ?? '',
  },
});
