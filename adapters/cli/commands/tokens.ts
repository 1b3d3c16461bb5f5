import { type ActionGroup } from '../action';
import { command } from '../command';
import { durationOption } from '../duration-option';

export const tokenCommands: ActionGroup = {
  name: 'tokens',
  summary: 'Manage access tokens (for notebooks and pages)',
  actions: [
    command('issueAccessToken', 'create <instance>', 'Create a token for an instance and print it once', {
      options: [durationOption('expires-in', 'lifetime, at most a day (default 8h)', 'expires_in')],
      fixed: { expires_in: 'PT8H' },
      examples: ['tokens create "Money flows" --expires-in 2h > token.txt'],
      show: ({ data }) => ({
        data,
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
