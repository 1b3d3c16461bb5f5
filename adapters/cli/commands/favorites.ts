import { type ActionGroup } from '../action';
import { command } from '../command';
import { option } from '../request-options';

const add = (kind: string, noun: string) =>
  command('addFavorite', `add-${kind} <${kind}>`, `Add ${noun} to your favorites`, {
    arguments: ['resource_id'],
    fixed: { resource_type: kind },
    text: (_, id) => `Added ${kind} ${id} to your favorites.`,
  });

const remove = (kind: string, noun: string) =>
  command('removeFavorite', `remove-${kind} <${kind}>`, `Remove ${noun} from your favorites`, {
    fixed: { resource_type: kind },
    text: (_, id) => `Removed ${kind} ${id} from your favorites.`,
  });

export const favoriteCommands: ActionGroup = {
  name: 'favorites',
  summary: 'Manage your favorite mappings and instances',
  actions: [
    command('listFavorites', 'list', 'List your favorites, newest first', {
      columns: {
        kind: 'resource_type',
        id: 'resource_id',
        name: 'resource_name',
        owner: 'resource_owner',
        since: 'created_at',
      },
    }),
    add('mapping', 'a mapping'),
    remove('mapping', 'a mapping'),
    add('instance', 'an instance'),
    remove('instance', 'an instance'),
  ],
};

export const savedQueryCommands: ActionGroup = {
  name: 'queries',
  summary: 'Manage your saved queries, by mapping',
  actions: [
    command('listSavedQueries', 'list <mapping>', 'List your saved queries of a mapping, newest first', {
      columns: { name: 'name', query: 'query', parameters: 'parameters', saved: 'updated_at' },
    }),
    command('saveQuery', 'save <mapping> <name>', 'Save a query; replaces one with the same name', {
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
