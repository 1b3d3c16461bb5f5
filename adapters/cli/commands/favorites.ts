import { type ActionGroup } from '../action';
import { command } from '../command';

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
