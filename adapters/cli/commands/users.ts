import { isLeft, left } from 'fp-ts/Either';
import { type ResultOf, type Success } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup, type OptionSpec, pageOptions, pageQuery, present } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { checkUrl, DEFAULT_URL, sessionOf } from '../connection';
import { wrongUsage } from '../failure';
import { listOutput, type Output } from '../output';

const ROLES = ['analyst', 'admin', 'ops'] as const;
type User = ResultOf<typeof publicEndpoints.getUser>;

const personOptions: readonly OptionSpec[] = [
  { flags: '--name <text>', description: 'name to show' },
  { flags: '--email <address>', description: 'email address' },
];

const list: Action = {
  usage: 'list',
  summary: 'List the users, newest first',
  options: pageOptions,
  run: ({ api }, given) =>
    answered(api.listUsers({ query: pageQuery(given) }), (answer) =>
      listOutput(answer, [
        ['username', ({ username }) => username],
        ['name', ({ display_name }) => display_name],
        ['role', ({ role }) => role],
        ['active', ({ is_active }) => (is_active ? 'yes' : 'no')],
        ['created', ({ created_at }) => created_at],
      ]),
    ),
};

const recordOf = ({ data }: Success<User>): Output => ({
  data,
  record: Object.entries(data).map(([name, value]) => [name.replaceAll('_', ' '), value]),
});

const show: Action = {
  usage: 'show <username>',
  summary: 'One user',
  run: ({ api }, given) => answered(api.getUser({ params: { username: given.argument(0) } }), recordOf),
};

const create: Action = {
  usage: 'create <username>',
  summary: 'Let somebody in',
  options: [{ flags: '--role <role>', description: 'default: analyst', choices: ROLES }, ...personOptions],
  run: ({ api }, given) =>
    answered(
      api.createUser({
        body: {
          username: given.argument(0),
          ...present(
            'role',
            ROLES.find((role) => role === given.text('role')),
          ),
          ...present('display_name', given.text('name')),
          ...present('email', given.text('email')),
        },
      }),
      ({ data }) => ({ data, text: `${data.username} may come in as ${data.role}.` }),
    ),
};

const role: Action = {
  usage: 'role <username> <role>',
  summary: 'Change the role: analyst, admin or ops',
  run: async ({ api }, given) => {
    const wanted = ROLES.find((one) => one === given.argument(1));
    if (wanted === undefined)
      return left(wrongUsage(`${given.argument(1)} is no role; there are ${ROLES.join(', ')}.`));
    const input = { params: { username: given.argument(0) }, body: { role: wanted } };
    return answered(api.changeUserRole(input), ({ data }) => ({ data, text: `${data.username} is now ${data.role}.` }));
  },
};

const update: Action = {
  usage: 'update <username>',
  summary: 'Change name, address, or whether somebody is let in',
  options: [...personOptions, { flags: '--active', description: 'let them in again' }],
  run: ({ api }, given) =>
    answered(
      api.updateUser({
        params: { username: given.argument(0) },
        body: {
          ...present('display_name', given.text('name')),
          ...present('email', given.text('email')),
          ...(given.flag('active') ? { is_active: true } : {}),
        },
      }),
      recordOf,
    ),
};

const deactivate: Action = {
  usage: 'deactivate <username>',
  summary: 'Let somebody in no longer; what they own stays',
  options: [yesOption],
  run: async ({ api, terminal }, given) => {
    const username = given.argument(0);
    const sure = await confirm(terminal, given, `Deactivate ${username}?`);
    if (isLeft(sure)) return sure;
    return answered(api.deactivateUser({ params: { username } }), ({ data }) => ({
      data,
      text: `${data.username} is let in no longer. Again: rowgraph users update ${data.username} --active`,
    }));
  },
};

const bootstrap: Action = {
  usage: 'bootstrap <username>',
  summary: 'Create the first user, with the role ops; works once',
  options: [
    { flags: '--url <address>', description: `address of rowgraph (default ${DEFAULT_URL})` },
    ...personOptions,
  ],
  runLocally: async ({ terminal, environment }, given) => {
    const url = checkUrl(given.text('url') ?? environment['ROWGRAPH_URL'] ?? DEFAULT_URL);
    if (isLeft(url)) return url;
    const { api } = sessionOf(terminal, url.right, { kind: 'nobody' });
    const body = {
      username: given.argument(0),
      ...present('display_name', given.text('name')),
      ...present('email', given.text('email')),
    };
    return answered(api.bootstrap({ body }), ({ data }) => {
      const first = `${data.username} is the first user, with the role ${data.role}.`;
      const { api_key: key } = data;
      return key === undefined
        ? { data, text: first, note: `Go on with: rowgraph login --username ${data.username}` }
        : {
            data,
            text: `${first}\nAPI key: ${key}`,
            note: 'The key is shown this once, so keep it. Go on with: rowgraph login --key -',
          };
    });
  },
};

export const userCommands: ActionGroup = {
  name: 'users',
  summary: 'Who is let in, and as what (admins)',
  actions: [list, show, create, role, update, deactivate, bootstrap],
};
