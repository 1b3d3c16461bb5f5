import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ResultOf } from '../../client';
import { type publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup, type Given, type OptionSpec, pageOptions, pageQuery } from '../action';
import { answered } from '../answered';
import { confirm, yesOption } from '../confirm';
import { type Session } from '../connection';
import { lifeOf, lifeOptions } from '../duration-option';
import { type CliFailure, failed } from '../failure';
import { listOutput } from '../output';

const userOption: OptionSpec = { flags: '--user <username>', description: 'whose (default: your own; others: admins)' };
const ttlOptions = lifeOptions.filter(({ flags }) => flags.startsWith('--ttl'));

/** The user named by the option, or the caller. */
const userOf = ({ api }: Session, given: Given): Promise<Either<CliFailure, string>> => {
  const named = given.text('user');
  return named === undefined
    ? answered(api.getUserInstanceStatus(), ({ data }) => data.username)
    : Promise.resolve(right(named));
};

const list: Action = {
  usage: 'list',
  summary: 'List the keys that are not revoked, newest first; what is secret of them nobody knows any more',
  options: [userOption, ...pageOptions],
  run: async (session, given) => {
    const username = await userOf(session, given);
    if (isLeft(username)) return username;
    const input = { params: { username: username.right }, query: pageQuery(given) };
    return answered(session.api.listApiKeys(input), (answer) =>
      listOutput(answer, [
        ['id', ({ id }) => id],
        ['name', ({ name }) => name],
        ['created', ({ created_at }) => created_at],
        ['by', ({ created_by }) => created_by],
        ['expires', ({ expires_at }) => expires_at ?? 'never'],
      ]),
    );
  },
};

const create: Action = {
  usage: 'create <name>',
  summary: 'Make an API key and print it, this once',
  options: [userOption, ...ttlOptions],
  examples: ['keys create laptop --ttl 90d > key.txt', 'keys create "nightly job" --user ada'],
  run: async (session, given) => {
    const life = lifeOf(given);
    if (isLeft(life)) return life;
    const username = await userOf(session, given);
    if (isLeft(username)) return username;
    const body = { name: given.argument(0), ...life.right };
    return answered(session.api.createApiKey({ params: { username: username.right }, body }), ({ data }) => ({
      data,
      text: data.key,
      note: `This key of ${username.right} is shown this once, so keep it. Use it with: rowgraph login --key -`,
    }));
  },
};

type Key = ResultOf<typeof publicEndpoints.listApiKeys>[number];

/** All keys of a user, page by page. */
const keysOf = async ({ api }: Session, username: string): Promise<Either<CliFailure, readonly Key[]>> => {
  const keys: Key[] = [];
  for (;;) {
    const query = { limit: 100, offset: keys.length };
    const page = await answered(api.listApiKeys({ params: { username }, query }), (answer) => answer);
    if (isLeft(page)) return page;
    keys.push(...page.right.data);
    if (page.right.data.length === 0 || keys.length >= (page.right.page?.total ?? 0)) return right(keys);
  }
};

const revoke: Action = {
  usage: 'revoke <key>',
  summary: 'Revoke a key by its id or name; it is refused from the next request on',
  options: [userOption, yesOption],
  run: async (session, given) => {
    const username = await userOf(session, given);
    if (isLeft(username)) return username;
    const keys = await keysOf(session, username.right);
    if (isLeft(keys)) return keys;
    const named = given.argument(0);
    const [key, ...others] = keys.right.filter(({ id, name }) => id === named || name === named);
    if (key === undefined) {
      return left(failed(`${username.right} has no key "${named}".`, 'See: rowgraph keys list'));
    }
    if (others.length > 0) return left(failed(`Several keys are named "${named}".`, 'Say which one by its id.'));
    const sure = await confirm(session.terminal, given, `Revoke the key "${key.name}" of ${username.right}?`);
    if (isLeft(sure)) return sure;
    const params = { username: username.right, key_id: key.id };
    return answered(session.api.revokeApiKey({ params }), ({ data }) => ({
      data: { ...data, id: key.id },
      text: `The key "${key.name}" of ${username.right} is revoked.`,
    }));
  },
};

export const keyCommands: ActionGroup = {
  name: 'keys',
  summary: 'API keys, where they say who calls',
  actions: [list, create, revoke],
};
