import { isLeft, left, right } from 'fp-ts/Either';
import { type Action, type ActionGroup } from '../action';
import { answered, failed } from '../failure';
import { confirm, yesOption } from '../confirm';
import { ttlOption } from '../duration-option';
import { command } from '../command';
import { readAll } from '../find-one';
import { callerName, option } from '../request-options';

const userOption = option('--user <username>', 'whose (default: your own; others: admins)', {
  field: 'username',
  read: async (session, written) => (written === undefined ? callerName(session) : right(written)),
});

const revoke: Action = {
  usage: 'revoke <key>',
  summary: 'Revoke a key by its id or name; it is refused from the next request on',
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
    if (key === undefined) return left(failed(`${username} has no key "${named}".`, 'See: rowgraph keys list'));
    if (others.length > 0) return left(failed(`Several keys are named "${named}".`, 'Say which one by its id.'));
    const sure = await confirm(terminal, input, `Revoke the key "${key.name}" of ${username}?`);
    if (isLeft(sure)) return sure;
    return answered(api.revokeApiKey({ params: { username, key_id: key.id } }), ({ data }) => ({
      data: { ...data, id: key.id },
      text: `The key "${key.name}" of ${username} is revoked.`,
    }));
  },
};

export const keyCommands: ActionGroup = {
  name: 'keys',
  summary: 'API keys, where they say who calls',
  actions: [
    command(
      'listApiKeys',
      'list',
      'List the keys that are not revoked, newest first; what is secret of them nobody knows any more',
      {
        options: [userOption],
        columns: {
          id: 'id',
          name: 'name',
          created: 'created_at',
          by: 'created_by',
          expires: ({ expires_at }) => expires_at ?? 'never',
        },
      },
    ),
    command('createApiKey', 'create <name>', 'Make an API key and print it, this once', {
      arguments: ['name'],
      options: [userOption, ttlOption],
      examples: ['keys create laptop --ttl 90d > key.txt', 'keys create "nightly job" --user ada'],
      show: ({ data }, { request }) => ({
        data,
        text: data.key,
        note: `This key of ${String(request.params?.['username'])} is shown this once, so keep it. Use it with: rowgraph login --key -`,
      }),
    }),
    revoke,
  ],
};
