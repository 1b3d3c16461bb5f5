import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ClientFailure, type Success } from '../client';
import { type Session } from './connection';
import { type CliFailure, explain, failed } from './failure';

type PageOf<R> = (query: {
  readonly limit: number;
  readonly offset: number;
}) => Promise<Either<ClientFailure, Success<readonly R[]>>>;

interface Named {
  readonly id: number;
  readonly name: string;
  readonly owner_username: string;
}

/** The id of a mapping by its id or its unique name. */
export const findMapping = (session: Session, text: string): Promise<Either<CliFailure, number>> =>
  findOne('mapping', text, (query) => session.api.listMappings({ query: { search: text.slice(0, 255), ...query } }));

export const findInstance = (session: Session, text: string): Promise<Either<CliFailure, number>> =>
  findOne('instance', text, (query) => session.api.listInstances({ query: { search: text.slice(0, 255), ...query } }));

const findOne = async (kind: string, text: string, page: PageOf<Named>): Promise<Either<CliFailure, number>> => {
  if (/^[1-9]\d{0,14}$/.test(text)) return right(Number(text));
  const found = await readAll(page);
  if (isLeft(found)) return found;
  const matches = found.right.filter(({ name }) => name === text);
  const [first, ...others] = matches;
  if (first === undefined) return left(failed(`Unknown ${kind} "${text}".`, `See: rowgraph ${kind}s list`));
  if (others.length === 0) return right(first.id);
  const list = matches.map(({ id, owner_username }) => `${id} (of ${owner_username})`).join(', ');
  return left(failed(`${matches.length} ${kind}s are named "${text}": ${list}.`, 'Use the id.'));
};

/** All pages of a list. */
export const readAll = async <R>(page: PageOf<R>): Promise<Either<CliFailure, readonly R[]>> => {
  const all: R[] = [];
  for (;;) {
    const answer = await page({ limit: 100, offset: all.length });
    if (isLeft(answer)) return left(explain(answer.left));
    const { data, page: place } = answer.right;
    all.push(...data);
    if (data.length === 0 || all.length >= (place?.total ?? 0)) return right(all);
  }
};
