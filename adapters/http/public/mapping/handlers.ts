import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { loadConfig } from '../../../../commands/config/configure';
import { changeMapping } from '../../../../commands/mapping/change-mapping';
import { copyMapping, type CreatedMapping, createMapping } from '../../../../commands/mapping/create-mapping';
import { deleteMapping } from '../../../../commands/mapping/delete-mapping';
import { type DomainError, notFound } from '../../../../domain/kernel/errors';
import { type DefinitionChange, diffVersions, versionNotFound } from '../../../../domain/mapping';
import { addressIn } from '../../../../domain/ports/object-store';
import { listMappingInstances } from '../../../../queries/instances';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { type Page, type PageBounds } from '../../../../queries/kit/list';
import {
  findMapping,
  findMappingTree,
  findMappingVersion,
  listMappings,
  listMappingVersions,
} from '../../../../queries/mappings';
import { listMappingSnapshots } from '../../../../queries/snapshots';
import { type MappingVersionView, type MappingView } from '../../../../queries/views/mapping';
import { type HandlerResult } from '../../kit';
import { readAsOf } from '../as-of/as-of';
import { ofMapping } from '../as-of/resource-streams';
import { type pageOf, replyChange, replyPage } from '../codecs';
import { type ApiCaller, type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type mappingEndpoints, type mappingHistoryEndpoints } from './endpoints';

type Operations = PublicHandlers<typeof mappingEndpoints>;

export const mappingHandlers = (deps: ResourceDependencies): Operations => ({
  ...reading(deps),
  ...creating(deps),
  ...changing(deps),
});

const reading = (deps: ResourceDependencies): Pick<Operations, 'listMappings' | 'getMapping'> => ({
  listMappings: ({ query }) => replyPage(query, (page) => listMappings(deps.db, query, page)),

  getMapping: ({ params: { id }, query: { as_of }, identity }) =>
    readAsOf(deps, as_of, identity, ofMapping(id), async ({ db }) => {
      const mapping = await findMapping(db, id);
      const version = mapping && (await findMappingVersion(db, id, mapping.current_version));
      if (mapping === null || version === null) return left(notFound('mapping', id));
      const { node_definitions, edge_definitions } = version;
      return right({ body: { ...mapping, node_definitions, edge_definitions, version } });
    }),
});

const creating = (deps: ResourceDependencies): Pick<Operations, 'createMapping' | 'copyMapping'> => ({
  createMapping: async ({ body, identity }) => {
    const config = await loadConfig(deps.ports);
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
    const config = await loadConfig(deps.ports);
    if (isLeft(config)) return config;
    const copy = { name: body.name, ownerName: nameOf(identity), limits: config.right.lifecycle.mapping };
    const copied = await copyMapping(deps.ports, params.id, copy, identity.context);
    return isLeft(copied) ? copied : right(createdReply(copied.right, identity, body.name));
  },
});

type Change = 'updateMapping' | 'deleteMapping' | 'setMappingLifecycle';

const changing = (deps: ResourceDependencies): Pick<Operations, Change> => ({
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
    const config = await loadConfig(deps.ports);
    if (isLeft(config)) return config;
    const limits = config.right.lifecycle.mapping;
    const command = { type: 'SetMappingLifecycle', ttl: body.ttl, inactivityTimeout: body.inactivity_timeout } as const;
    const changed = await changeMapping(deps.ports, params.id, { ...command, limits }, identity.context);
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
  body: { id: mappingId, owner_username: username, name, current_version: 1, created_at: occurredAt },
});

export const mappingHistoryHandlers = ({
  db,
  cleanup: { objectStore },
}: ResourceDependencies): PublicHandlers<typeof mappingHistoryEndpoints> => ({
  listMappingVersions: ({ params: { id }, query }) =>
    pageOfMapping(db, id, query, (page) => listMappingVersions(db, id, query, page)),

  getMappingVersion: async ({ params }) => {
    const mapping = await existing(db, params.id);
    if (isLeft(mapping)) return mapping;
    const version = await existingVersion(db, mapping.right, params.v);
    return isLeft(version) ? version : right({ body: version.right });
  },

  diffMappingVersions: async ({ params }) => {
    const mapping = await existing(db, params.id);
    if (isLeft(mapping)) return mapping;
    const from = await existingVersion(db, mapping.right, params.v1);
    if (isLeft(from)) return from;
    const to = await existingVersion(db, mapping.right, params.v2);
    if (isLeft(to)) return to;
    const { nodes, edges } = diffVersions(from.right, to.right);
    return right({
      body: {
        mapping_id: params.id,
        from_version: from.right.version,
        to_version: to.right.version,
        summary: {
          nodes_added: count(nodes, 'added'),
          nodes_removed: count(nodes, 'removed'),
          nodes_modified: count(nodes, 'modified'),
          edges_added: count(edges, 'added'),
          edges_removed: count(edges, 'removed'),
          edges_modified: count(edges, 'modified'),
        },
        changes: {
          nodes: nodes.map((change) => ({ label: change.key, ...changeView(change) })),
          edges: edges.map((change) => ({ type: change.key, ...changeView(change) })),
        },
      },
    });
  },

  getMappingTree: async ({ params, query, identity }) => {
    const mapping = await existing(db, params.id);
    if (isLeft(mapping)) return mapping;
    const options = { includeInstances: query.include_instances ?? true, status: query.status };
    return right({ body: await findMappingTree(db, identity, mapping.right, options) });
  },

  listMappingInstances: ({ params: { id }, query, identity }) =>
    pageOfMapping(db, id, query, (page) => listMappingInstances(db, identity, id, query, page)),

  listMappingSnapshots: ({ params: { id }, query, identity }) =>
    pageOfMapping(db, id, query, async (page) => {
      const { items, total } = await listMappingSnapshots(db, identity, id, query, page);
      const shown = items.map((item) => ({ ...item, storage_path: addressIn(objectStore, item.storage_path) }));
      return { items: shown, total };
    }),
});

const existing = async (
  db: ReadDatabase,
  id: number,
): Promise<Either<DomainError<'RESOURCE_NOT_FOUND'>, MappingView>> => {
  const mapping = await findMapping(db, id);
  return mapping === null ? left(notFound('mapping', id)) : right(mapping);
};

const existingVersion = async (
  db: ReadDatabase,
  { id, current_version: latest }: MappingView,
  wanted: number | string,
): Promise<Either<DomainError<'MAPPING_VERSION_NOT_FOUND'>, MappingVersionView>> => {
  const exists = typeof wanted === 'number' && wanted <= latest;
  const version = exists ? await findMappingVersion(db, id, wanted) : null;
  return version === null ? left(versionNotFound(id, wanted, latest)) : right(version);
};

/** A page of a list that belongs to one mapping. */
const pageOfMapping = async <T>(
  db: ReadDatabase,
  id: number,
  query: Parameters<typeof pageOf>[0],
  list: (page: PageBounds) => Promise<Page<T>>,
): HandlerResult<readonly T[], 'RESOURCE_NOT_FOUND'> => {
  const mapping = await existing(db, id);
  return isLeft(mapping) ? mapping : replyPage(query, list);
};

const count = (changes: readonly DefinitionChange<unknown>[], type: DefinitionChange<unknown>['changeType']): number =>
  changes.filter(({ changeType }) => changeType === type).length;

const changeView = <D>({ changeType, fieldsChanged, from, to }: DefinitionChange<D>) => ({
  change_type: changeType,
  ...(fieldsChanged === undefined ? {} : { fields_changed: fieldsChanged }),
  from,
  to,
});
