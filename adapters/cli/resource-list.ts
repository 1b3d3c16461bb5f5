import { type Either, isLeft, right } from 'fp-ts/Either';
import { type ApiClient } from '../client';
import { type Given, type OptionSpec, pageOptions, pageQuery, present } from './action';
import { answered } from './answered';
import { type CliFailure } from './failure';

/** Options of the lists of mappings and instances. */
export const listOptions = (sortable: readonly string[]): readonly OptionSpec[] => [
  { flags: '--mine', description: 'only your own' },
  { flags: '--owner <username>', description: 'only those of this user' },
  { flags: '--search <text>', description: 'only with this text in name or description' },
  { flags: '--sort <field>', description: 'order by this field', choices: sortable },
  { flags: '--ascending', description: 'smallest or oldest first' },
  ...pageOptions,
];

/** The query parameters those options stand for. */
export const listQuery = async (api: ApiClient, given: Given): Promise<Either<CliFailure, ListQuery>> => {
  const caller = given.flag('mine') ? await answered(api.getUserInstanceStatus(), ({ data }) => data.username) : null;
  if (caller !== null && isLeft(caller)) return caller;
  return right({
    ...pageQuery(given),
    ...present('owner', caller?.right ?? given.text('owner')),
    ...present('search', given.text('search')),
    ...(given.flag('ascending') ? { sort_order: 'asc' as const } : {}),
  });
};

interface ListQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly owner?: string;
  readonly search?: string;
  readonly sort_order?: 'asc';
}
