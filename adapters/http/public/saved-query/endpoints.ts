import * as t from 'io-ts';
import { fields, nullable, optional, text } from '../../../../domain/kernel/codecs';
import { SavedQueryView } from '../../../../queries/views/mapping';
import { data, endpoint, IdParams, list, PathId } from '../../kit';
import { listFields, Name } from '../codecs';

const JsonText = text({ min: 2, max: 200_000 });

const oneQuery = {
  access: 'user',
  resource: 'saved query',
  params: fields({ id: PathId, query_name: Name }),
} as const;

export const savedQueryEndpoints = {
  listSavedQueries: endpoint('GET /mappings/{id}/queries', {
    summary: 'Your saved queries of a mapping, with their drawings, the last saved first',
    access: 'user',
    resource: 'mapping',
    params: IdParams,
    query: fields(listFields('updated_at', 'name')),
    success: list(SavedQueryView),
  }),
  saveQuery: endpoint('PUT /mappings/{id}/queries/{query_name}', {
    ...oneQuery,
    summary: 'Save a query by name; replaces your query of that name',
    maxBodyBytes: 2 * 1024 * 1024,
    body: fields({
      query: text({ min: 1, max: 100_000 }),
      parameters: optional(JsonText),
      drawing: optional(nullable(JsonText)),
    }),
    success: data(SavedQueryView),
    errors: ['INVALID_STATE'],
  }),
  deleteSavedQuery: endpoint('DELETE /mappings/{id}/queries/{query_name}', {
    ...oneQuery,
    summary: 'Delete one of your saved queries',
    success: data(t.strict({ deleted: t.literal(true) })),
  }),
};
