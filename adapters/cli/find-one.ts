import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ClientFailure, type Success } from '../client';
import { type Session } from './connection';
import { type CliFailure, explain, failed } from './failure';

interface Named {
  readonly id: number;
  readonly name: string;
  readonly owner_username: string;
}

type List = (input: {
  readonly query: { readonly search: string; readonly limit: number; readonly offset: number };
}) => Promise<Either<ClientFailure, Success<readonly Named[]>>>;

const PAGE = 100;

/** The id of a mapping that is named by its id, or by a name only one has. */
export const findMapping = (session: Session, text: string): Promise<Either<CliFailure, number>> =>
  findOne(session.api.listMappings, 'mapping', text);

/** The id of an instance, likewise. */
export const findInstance = (session: Session, text: string): Promise<Either<CliFailure, number>> =>
  findOne(session.api.listInstances, 'instance', text);

const findOne = async (list: List, kind: string, text: string): Promise<Either<CliFailure, number>> => {
  if (/^[1-9]\d{0,14}$/.test(text)) return right(Number(text));
  const matches: Named[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await list({ query: { search: text.slice(0, 255), limit: PAGE, offset } });
    if (isLeft(page)) return left(explain(page.left));
    matches.push(...page.right.data.filter(({ name }) => name === text));
    if (offset + PAGE >= (page.right.page?.total ?? 0)) break;
  }
  const [first, ...others] = matches;
  if (first === undefined) return left(failed(`There is no ${kind} named "${text}".`, `See: rowgraph ${kind}s list`));
  if (others.length === 0) return right(first.id);
  const who = matches.map(({ id, owner_username }) => `${id} (of ${owner_username})`).join(', ');
  return left(failed(`${matches.length} ${kind}s are named "${text}": ${who}.`, 'Say which one by its id.'));
};
