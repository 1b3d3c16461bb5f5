import { savedQueries, type SavedQueryCommand, type SavedQueryEvent } from '../../domain/saved-queries';
import { given } from '../support/given-when-then';

const query = { mappingId: 7, name: 'Rings', query: 'MATCH (n) RETURN n', parameters: '{}', drawing: null };
const save: SavedQueryCommand = { type: 'SaveQuery', ...query };
const saved: SavedQueryEvent = { type: 'QuerySaved', data: { username: 'ada', ...query } };
const remove: SavedQueryCommand = { type: 'DeleteSavedQuery', mappingId: 7, name: 'Rings' };
const removed: SavedQueryEvent = { type: 'SavedQueryDeleted', data: { username: 'ada', mappingId: 7, name: 'Rings' } };

describe('saved queries', () => {
  it('are replaced by a later one with the same name', () => {
    given(savedQueries).when(save).happens(saved);
    given(savedQueries, saved)
      .when({ ...save, drawing: '{"pinned":{}}' })
      .happens({ type: 'QuerySaved', data: { ...saved.data, ...query, drawing: '{"pinned":{}}' } });
  });

  it('are deleted once', () => {
    given(savedQueries, saved).when(remove).happens(removed);
    given(savedQueries, saved, removed)
      .when(remove)
      .isRefused('RESOURCE_NOT_FOUND', { mapping_id: 7, query_name: 'Rings' });
    given(savedQueries, saved)
      .when({ ...remove, mappingId: 8 })
      .isRefused('RESOURCE_NOT_FOUND');
  });

  it('are limited to 200 per mapping', () => {
    const many = Array.from({ length: 200 }, (_, index): SavedQueryEvent => {
      return { type: 'QuerySaved', data: { username: 'ada', ...query, name: `q${index}` } };
    });
    given(savedQueries, ...many)
      .when(save)
      .isRefused('INVALID_STATE', { current_count: 200, max_allowed: 200 });
    given(savedQueries, ...many)
      .when({ ...save, mappingId: 8 })
      .happens({ type: 'QuerySaved', data: { username: 'ada', ...query, mappingId: 8 } });
    given(savedQueries, ...many)
      .when({ ...save, name: 'q7' })
      .happens({ type: 'QuerySaved', data: { username: 'ada', ...query, name: 'q7' } });
  });
});
