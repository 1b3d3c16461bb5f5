import { type ApiClient } from '../../support/api-client';
import { type RunningSystem } from '../../support/running-system';
import { createMapping } from '../../support/instances';
import { townMapping } from '../../support/sample-mappings';

/** A part of one-system.test.ts. */
export const savedQueries = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let ada: ApiClient;
  let mapping: number;
  beforeAll(async () => {
    system = shared();
    ada = system.as('ada');
    mapping = await createMapping(ada, townMapping);
  });

  const path = (name: string): string => `/api/mappings/${mapping}/queries/${encodeURIComponent(name)}`;
  const namesOf = async (client: ApiClient) =>
    (await client.call('listSavedQueries', { id: mapping })).data.map(({ name }) => name);

  describe('saved queries', () => {
    it('belong to one user and mapping, and are exact', async () => {
      const body = {
        query: 'RETURN $id',
        parameters: '{"id": 9223372036854775807}',
        drawing: '{"pinned":{"a":[1,2]}}',
      };
      const name = 'a/b ?<b>';
      const { body: saved } = await ada.send('PUT', path(name), { body });
      expect(saved).toMatchObject({ data: { mapping_id: mapping, name, ...body } });
      expect((await ada.call('listSavedQueries', { id: mapping })).data).toEqual([
        { mapping_id: mapping, name, ...body, updated_at: expect.any(String) as string },
      ]);
      expect(await namesOf(system.as('bob'))).toEqual([]);
    });

    it('are replaced and deleted by name', async () => {
      for (const query of ['RETURN 1', 'RETURN 2']) await ada.send('PUT', path('One'), { body: { query } });
      const { data } = await ada.call('listSavedQueries', { id: mapping, query: { search: 'one' } });
      expect(data).toMatchObject([{ query: 'RETURN 2', parameters: '{}', drawing: null }]);
      expect(await system.as('bob').refused('DELETE', path('One'))).toMatchObject({ status: 404 });
      await ada.send('DELETE', path('One'));
      expect(await namesOf(ada)).not.toContain('One');
    });

    it('end with their mapping', async () => {
      expect(await ada.refused('PUT', '/api/mappings/999/queries/x', { body: { query: 'RETURN 1' } })).toMatchObject({
        status: 404,
        details: { mapping_id: 999 },
      });
      await ada.call('deleteMapping', { id: mapping });
      expect(await ada.refused('GET', `/api/mappings/${mapping}/queries`)).toMatchObject({ status: 404 });
    });
  });
};
