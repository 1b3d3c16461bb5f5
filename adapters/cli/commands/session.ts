import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { command } from '../command';
import { addressOption, connectAnonymously, identityFrom, sessionOf } from '../connection';
import { answered, usageError } from '../failure';
import { loginFilePath, removeLogin, writeLogin } from '../login-file';
import { callerName, option } from '../request-options';

const login: Action = {
  usage: 'login',
  summary: 'Log in; saved in ~/.config, readable by you only',
  options: [
    addressOption,
    option('--username <name>', 'your username (if the server trusts this machine)'),
    option('--key <key>', 'API key; - reads it from the standard input'),
    option('--token <token>', 'OIDC token; - reads it from the standard input'),
  ],
  examples: ['login --username ada', 'login --url https://graphs.example.com --key - < key.txt'],
  runLocally: async ({ terminal, environment }, input) => {
    const server = connectAnonymously(terminal, environment, input.text('url'));
    if (isLeft(server)) return server;
    const { url } = server.right;
    const secretOf = async (option: string): Promise<string | undefined> =>
      input.text(option) === '-'
        ? Buffer.from(await terminal.readInput())
            .toString()
            .trim()
        : input.text(option);
    if (['key', 'token', 'username'].filter((name) => input.text(name) !== undefined).length > 1) {
      return left(usageError('Use one of --key, --token and --username.'));
    }
    const [key, token] = [await secretOf('key'), await secretOf('token')];
    const isNamed = key !== undefined || token !== undefined || input.text('username') !== undefined;
    const isPrompted = !isNamed && terminal.isInteractive;
    const username = isPrompted ? await terminal.prompt('Your username: ') : input.text('username');
    const identity = identityFrom({ key, token, username: username === '' ? undefined : username }, environment);
    if (identity === null || key === '' || token === '') {
      return left(usageError('--username <name>, --key <key> or --token <token> is required.'));
    }
    const me = await callerName(sessionOf(terminal, url, identity));
    if (isLeft(me)) return me;
    const path = loginFilePath(environment);
    const saved = token !== undefined ? { token } : key !== undefined ? { key } : { username: me.right };
    writeLogin(path, { url, ...saved });
    const data = { url, username: me.right };
    return right({ data, text: `Logged in to ${url} as ${me.right}.`, note: `Saved in ${path}.` });
  },
};

const logout: Action = {
  usage: 'logout',
  summary: 'Delete the saved login',
  runLocally: ({ environment }) => {
    removeLogin(loginFilePath(environment));
    return Promise.resolve(right({ data: { logged_out: true }, text: 'Logged out.' }));
  },
};

const whoami = command('getUserInstanceStatus', 'whoami', 'Show your user, role and server', {
  show: ({ data: { username, active_instances, instance_limit } }, { session: { api, url } }) =>
    answered(api.getUser({ params: { username } }), ({ data }) => ({
      data: { url, ...data },
      record: [
        ['username', username],
        ['name', data.display_name],
        ['role', data.role],
        ['server', url],
        ['instances', `${active_instances} of ${instance_limit}`],
      ],
    })),
});

export const sessionCommands: ActionGroup = { name: null, summary: '', actions: [login, logout, whoami] };
