import { type ActionGroup } from '../action';
import { command } from '../command';
import { option } from '../request-options';

export const savedQueryCommands: ActionGroup = {
  name: 'queries',
  summary: 'Manage your saved queries, by mapping',
  actions: [
    command('listSavedQueries', 'list <mapping>', 'List your saved queries of a mapping, the last saved first', {
      columns: { name: 'name', query: 'query', parameters: 'parameters', saved: 'updated_at' },
    }),
    command('saveQuery', 'save <mapping> <name>', 'Save a query, in place of the one of that name', {
      options: [
        option('--query <cypher>', 'the query', { required: '--query <cypher> is required.' }),
        option('--parameters <json>', 'parameters of the query, such as {"age": 30}'),
      ],
      examples: ['queries save 1 Old --query "MATCH (p) WHERE p.age > 60 RETURN p"'],
      text: ({ name, mapping_id }) => `Saved the query ${name} of mapping ${mapping_id}.`,
    }),
    command('deleteSavedQuery', 'delete <mapping> <name>', 'Delete a saved query', {
      text: (_, mapping) => `Deleted a query of mapping ${mapping}.`,
    }),
  ],
};
