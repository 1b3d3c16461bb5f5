import { isLeft, left, right } from 'fp-ts/Either';
import { changeSavedQueries } from '../../../../commands/mapping/change-mapping';
import { invalidField, notFound } from '../../../../domain/kernel/errors';
import { listSavedQueries } from '../../../../queries/saved-queries';
import { isPathSegment, NO_PATH_SEGMENT } from '../../kit';
import { pageOf } from '../codecs';
import { type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type savedQueryEndpoints } from './endpoints';

export const savedQueryHandlers = ({
  ports,
  db,
}: ResourceDependencies): PublicHandlers<typeof savedQueryEndpoints> => ({
  listSavedQueries: async ({ params: { id }, query, identity }) => {
    const page = pageOf(query);
    const found = await listSavedQueries(db, identity.username, id, query, page);
    if (found === null) return left(notFound('mapping', id));
    return right({ body: found.items, page: { total: found.total, ...page } });
  },

  saveQuery: async ({ params: { id: mappingId, query_name: name }, body, identity }) => {
    if (!isPathSegment(name)) return left(invalidField('query_name', NO_PATH_SEGMENT));
    const { query, parameters = '{}', drawing = null } = body;
    const command = { type: 'SaveQuery', mappingId, name, query, parameters, drawing } as const;
    const saved = await changeSavedQueries(ports, command, identity.context);
    if (isLeft(saved)) return saved;
    const { position, occurredAt: updated_at } = saved.right;
    return right({ position, body: { mapping_id: mappingId, name, query, parameters, drawing, updated_at } });
  },

  deleteSavedQuery: async ({ params: { id: mappingId, query_name: name }, identity }) => {
    const deleted = await changeSavedQueries(ports, { type: 'DeleteSavedQuery', mappingId, name }, identity.context);
    return isLeft(deleted) ? deleted : right({ position: deleted.right.position, body: { deleted: true as const } });
  },
});
