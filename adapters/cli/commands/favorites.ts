import { type ActionGroup } from '../action';
import { command } from '../command';

const add = (kind: string, noun: string) =>
  command('addFavorite', `add-${kind} <${kind}>`, `Mark ${noun} as a favorite`, {
    arguments: ['resource_id'],
    fixed: { resource_type: kind },
    text: (_, id) => `The ${kind} ${id} is a favorite of yours.`,
  });

const remove = (kind: string, noun: string) =>
  command('removeFavorite', `remove-${kind} <${kind}>`, `Take ${noun} off your favorites`, {
    fixed: { resource_type: kind },
    text: (_, id) => `The ${kind} ${id} is no favorite of yours any more.`,
  });

export const favoriteCommands: ActionGroup = {
  name: 'favorites',
  summary: 'What you want to find again',
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
