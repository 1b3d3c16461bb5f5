import { type ActionGroup } from '../action';
import { endpointCommand } from '../endpoint-command';

const list = endpointCommand('listFavorites', {
  usage: 'list',
  summary: 'List your favorites, newest first',
  columns: {
    kind: 'resource_type',
    id: 'resource_id',
    name: 'resource_name',
    owner: 'resource_owner',
    since: 'created_at',
  },
});

const add = (kind: string, noun: string) =>
  endpointCommand('addFavorite', {
    usage: `add-${kind} <${kind}>`,
    summary: `Mark ${noun} as a favorite`,
    arguments: ['resource_id'],
    fixed: { resource_type: kind },
    text: (_, id) => `The ${kind} ${id} is a favorite of yours.`,
  });

const remove = (kind: string, noun: string) =>
  endpointCommand('removeFavorite', {
    usage: `remove-${kind} <${kind}>`,
    summary: `Take ${noun} off your favorites`,
    fixed: { resource_type: kind },
    text: (_, id) => `The ${kind} ${id} is no favorite of yours any more.`,
  });

export const favoriteCommands: ActionGroup = {
  name: 'favorites',
  summary: 'What you want to find again',
  actions: [
    list,
    add('mapping', 'a mapping'),
    remove('mapping', 'a mapping'),
    add('instance', 'an instance'),
    remove('instance', 'an instance'),
  ],
};
