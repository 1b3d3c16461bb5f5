import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { command } from '../command';
import { answered, failed } from '../failure';
import { readAll } from '../find-one';
import { callerName, confirm, durationOption, option, yesOption } from '../request-options';

const userOption = option('--user <username>', 'owner (default: you; other users: admins)', {
  field: 'username',
  read: async (session, written) => (written === undefined ? callerName(session) : right(written)),
});

const revoke: Action = {
  usage: 'revoke <key>',
  summary: 'Revoke a key by its id or name',
  options: [userOption, yesOption],
  run: async (session, input) => {
    const { api, terminal } = session;
    const user = input.text('user');
    const caller = user === undefined ? await callerName(session) : right(user);
    if (isLeft(caller)) return caller;
    const username = caller.right;
    const keys = await readAll((query) => api.listApiKeys({ params: { username }, query }));
    if (isLeft(keys)) return keys;
    const named = input.argument(0);
    const [key, ...others] = keys.right.filter(({ id, name }) => id === named || name === named);
    if (key === undefined) return left(failed(`Unknown key "${named}" of ${username}.`, 'See: rowgraph keys list'));
    if (others.length > 0)
      return left(failed(`${others.length + 1} keys are named "${named}".`, 'Use the id of the key.'));
    const sure = await confirm(terminal, input, `Revoke the key "${key.name}" of ${username}?`);
    if (isLeft(sure)) return sure;
    return answered(api.revokeApiKey({ params: { username, key_id: key.id } }), ({ data }) => ({
      data: { ...data, id: key.id },
      text: `Revoked key "${key.name}" of ${username}.`,
    }));
  },
};

export const keyCommands: ActionGroup = {
  name: 'keys',
  summary: 'Manage API keys (if the server uses them)',
  actions: [
    command('listApiKeys', 'list', 'List valid keys, newest first (secrets are not stored)', {
      options: [userOption],
      columns: {
        id: 'id',
        name: 'name',
        created: 'created_at',
        by: 'created_by',
        expires: ({ expires_at }) => expires_at ?? 'never',
      },
    }),
    command('createApiKey', 'create <name>', 'Create an API key and print it once', {
      arguments: ['name'],
      options: [userOption, durationOption('ttl', 'time to live: 24h, 90d (default: no expiry)', 'ttl')],
      examples: ['keys create laptop --ttl 90d > key.txt', 'keys create "nightly job" --user ada'],
      show: ({ data }, { request }) => ({
        text: data.key,
        note: `Key of ${String(request.params?.['username'])}, shown only once. Next: rowgraph login --key -`,
      }),
    }),
    revoke,
  ],
};

export const tokenCommands: ActionGroup = {
  name: 'tokens',
  summary: 'Manage access tokens (for notebooks and pages)',
  actions: [
    command('issueAccessToken', 'create <instance>', 'Create a token for an instance and print it once', {
      options: [durationOption('expires-in', 'lifetime, at most a day (default 8h)', 'expires_in')],
      fixed: { expires_in: 'PT8H' },
      examples: ['tokens create "Money flows" --expires-in 2h > token.txt'],
      show: ({ data }) => ({
        text: data.token,
        note: `This token is shown only once. It is valid until ${data.expires_at}. Send it as Bearer or ?access_token=.`,
      }),
    }),
    command('listAccessTokens', 'list <instance>', 'List valid tokens, newest first', {
      columns: { id: 'id', user: 'username', created: 'created_at', expires: 'expires_at' },
    }),
    command('revokeAccessToken', 'revoke <instance> <token>', 'Revoke a token by its id', {
      arguments: ['id', 'token_id'],
      text: () => 'Revoked the token.',
    }),
  ],
};
