import { isLeft } from 'fp-ts/Either';
import { type ActionGroup } from '../action';
import { command } from '../command';
import { addressOption, connectAnonymously } from '../connection';
import { option, type RequestOption } from '../request-options';

const personOptions: readonly RequestOption[] = [
  option('--name <text>', 'display name', { field: 'display_name' }),
  option('--email <address>', 'email address'),
];

const { run: createFirst, ...firstUser } = command(
  'bootstrap',
  'bootstrap <username>',
  'Create the first user, with the role ops (works once)',
  {
    arguments: ['username'],
    options: [addressOption, ...personOptions],
    show: ({ data }) => {
      const text = `Created the first user ${data.username} (${data.role}).`;
      const { api_key: key } = data;
      return key === undefined
        ? { text, note: `Next: rowgraph login --username ${data.username}, or --token <token>` }
        : {
            text: `${text}\nAPI key: ${key}`,
            note: `The key is shown only once, and expires at ${data.api_key_expires_at}. Next: rowgraph login --key -`,
          };
    },
  },
);

/** A line for each key that a promotion revoked. */
const revokedKeys = (keys: readonly { readonly name: string; readonly created_by: string }[]): readonly string[] =>
  keys.map((key) => `Revoked the API key "${key.name}", which ${key.created_by} created.`);

export const userCommands: ActionGroup = {
  name: 'users',
  summary: 'Manage users and their roles (admins)',
  actions: [
    command('listUsers', 'list', 'List users, newest first', {
      columns: {
        username: 'username',
        name: 'display_name',
        role: 'role',
        active: ({ is_active }) => (is_active ? 'yes' : 'no'),
        created: 'created_at',
      },
    }),
    command('getUser', 'show <username>', 'Show a user'),
    command('createUser', 'create <username>', 'Create a user', {
      arguments: ['username'],
      options: [option('--role <role>', 'role (default: analyst)'), ...personOptions],
      text: ({ username, role }) => `Created user ${username} (${role}).`,
    }),
    command('changeUserRole', 'role <username> <role>', 'Change the role of a user', {
      arguments: ['username', 'role'],
      text: ({ username, role, revoked_api_keys }) =>
        [`Changed the role of ${username} to ${role}.`, ...revokedKeys(revoked_api_keys)].join('\n'),
    }),
    command('updateUser', 'update <username>', 'Change name, email or state of a user', {
      options: [...personOptions, option('--active', 'reactivate the user', { field: 'is_active' })],
    }),
    command('deactivateUser', 'deactivate <username>', 'Deactivate a user; their resources stay', {
      question: (input) => `Deactivate ${input.argument(0)}?`,
      text: ({ username }) => `Deactivated ${username}. To undo: rowgraph users update ${username} --active`,
    }),
    {
      ...firstUser,
      runLocally: async ({ terminal, environment }, input) => {
        const session = connectAnonymously(terminal, environment, input.text('url'));
        return isLeft(session) ? session : createFirst(session.right, input);
      },
    },
  ],
};
