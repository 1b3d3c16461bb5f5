import { isLeft } from 'fp-ts/Either';
import { type ActionGroup } from '../action';
import { addressBeforeLogin, addressOption, firstIdentity, sessionOf } from '../connection';
import { command } from '../command';
import { option, type RequestOption } from '../request-options';

const personOptions: readonly RequestOption[] = [
  option('--name <text>', 'name to show', { field: 'display_name' }),
  option('--email <address>', 'email address'),
];

const { run: createFirst, ...firstUser } = command(
  'bootstrap',
  'bootstrap <username>',
  'Create the first user, with the role ops; works once',
  {
    arguments: ['username'],
    options: [addressOption, ...personOptions],
    show: ({ data }) => {
      const text = `${data.username} is the first user, with the role ${data.role}.`;
      const { api_key: key } = data;
      return key === undefined
        ? { data, text, note: `Go on with: rowgraph login --username ${data.username}, or --token <token>` }
        : {
            data,
            text: `${text}\nAPI key: ${key}`,
            note: 'The key is shown this once, so keep it. Go on with: rowgraph login --key -',
          };
    },
  },
);

export const userCommands: ActionGroup = {
  name: 'users',
  summary: 'Who is let in, and as what (admins)',
  actions: [
    command('listUsers', 'list', null, {
      columns: {
        username: 'username',
        name: 'display_name',
        role: 'role',
        active: ({ is_active }) => (is_active ? 'yes' : 'no'),
        created: 'created_at',
      },
    }),
    command('getUser', 'show <username>', 'One user'),
    command('createUser', 'create <username>', 'Let somebody in', {
      arguments: ['username'],
      options: [option('--role <role>', 'default: analyst'), ...personOptions],
      text: ({ username, role }) => `${username} may come in as ${role}.`,
    }),
    command('changeUserRole', 'role <username> <role>', 'Change the role: analyst, admin or ops', {
      arguments: ['username', 'role'],
      text: (user) => `${user.username} is now ${user.role}.`,
    }),
    command('updateUser', 'update <username>', 'Change name, address, or whether somebody is let in', {
      options: [...personOptions, option('--active', 'let them in again', { field: 'is_active' })],
    }),
    command('deactivateUser', 'deactivate <username>', 'Let somebody in no longer; what they own stays', {
      question: (input) => `Deactivate ${input.argument(0)}?`,
      text: ({ username }) => `${username} is let in no longer. Again: rowgraph users update ${username} --active`,
    }),
    {
      ...firstUser,
      runLocally: async ({ terminal, environment }, input) => {
        const url = addressBeforeLogin(input.text('url'), environment);
        return isLeft(url)
          ? url
          : createFirst(sessionOf(terminal, url.right, firstIdentity(environment, url.right)), input);
      },
    },
  ],
};
