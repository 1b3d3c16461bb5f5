import { type ActionGroup } from '../action';
import { command } from '../command';
import { durationOption } from '../duration-option';

export const tokenCommands: ActionGroup = {
  name: 'tokens',
  summary: 'Access tokens, with which notebooks and pages call one instance',
  actions: [
    command('issueAccessToken', 'create <instance>', 'Issue a token for an instance and print it, this once', {
      options: [durationOption('expires-in', 'how long it holds, at most a day: 8h', 'expires_in')],
      fixed: { expires_in: 'PT8H' },
      examples: ['tokens create "Money flows" --expires-in 2h > token.txt'],
      show: ({ data }) => ({
        data,
        text: data.token,
        note: `This token is shown this once, and holds until ${data.expires_at}. Send it as Bearer or ?access_token=.`,
      }),
    }),
    command('listAccessTokens', 'list <instance>', 'List the tokens that hold, newest first', {
      columns: { id: 'id', of: 'username', created: 'created_at', expires: 'expires_at' },
    }),
    command('revokeAccessToken', 'revoke <instance> <token>', 'Revoke a token by its id', {
      arguments: ['id', 'token_id'],
      text: () => 'The token is revoked.',
    }),
  ],
};
