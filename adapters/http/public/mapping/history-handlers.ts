import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, notFound } from '../../../../domain/kernel/errors';
import { type DefinitionChange, diffVersions, versionNotFound } from '../../../../domain/mapping';
import { addressIn } from '../../../../domain/ports/object-store';
import { listMappingInstances } from '../../../../queries/instances';
import { findMapping, findMappingTree, findMappingVersion, listMappingVersions } from '../../../../queries/mappings';
import { listMappingSnapshots } from '../../../../queries/snapshots';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { type Page, type PageBounds } from '../../../../queries/kit/list';
import { type MappingVersionView, type MappingView } from '../../../../queries/views/mapping';
import { type HandlerResult } from '../../kit';
import { type pageOf, replyPage } from '../codecs';
import { type mappingHistoryEndpoints } from './history-endpoints';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const mappingHistoryHandlers = ({
  db,
  cleanup: { objectStore },
}: PublicDependencies): PublicHandlers<typeof mappingHistoryEndpoints> => ({
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
  const isThere = typeof wanted === 'number' && wanted <= latest;
  const version = isThere ? await findMappingVersion(db, id, wanted) : null;
  return version === null ? left(versionNotFound(id, wanted, latest)) : right(version);
};

/** A page of something every mapping has. */
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
