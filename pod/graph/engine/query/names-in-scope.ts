import { type Clause, type ReadingQuery } from './clauses';
import { pathPatterns, plainName } from './patterns';
import { isStar, projectionOf } from './result-shape';

/** The names that `*` stands for after a clause, as the text spells them; `before`: those before it. */
export const namesAfter = (clause: Clause, before: readonly string[]): readonly string[] => {
  const { name, body } = clause;
  if (name === 'WITH' || name === 'RETURN') {
    const { items } = projectionOf(clause);
    return unique(items.flatMap((item) => (isStar(item) ? before : item.name === null ? [] : [item.name])));
  }
  return unique([...before, ...(name === 'CALL' ? namesOfCall(clause) : namesIn(name, body))]);
};

const namesIn = (name: Clause['name'], body: Clause['body']): readonly string[] => {
  if (name === 'UNWIND') return body.slice(-1).map(({ text }) => text);
  return pathPatterns(body).flatMap(({ variable, variables }) => [
    ...(variable === null ? [] : [variable]),
    ...variables,
  ]);
};

const namesOfCall = ({ subqueries: [subquery], body }: Clause): readonly string[] => {
  if (subquery !== undefined) return namesOfResult(subquery.query);
  const yields = body.findIndex(({ role, upper }) => role === 'keyword' && upper === 'YIELD');
  // `YIELD a, b AS c` is written like the items of a WITH.
  const items = yields < 0 ? [] : projectionOf({ body: body.slice(yields + 1) }).items;
  return items.flatMap(({ name }) => (name === null ? [] : [name]));
};

const namesOfResult = ({ parts: [first = []] }: ReadingQuery): readonly string[] =>
  first.reduce<readonly string[]>((names, clause) => namesAfter(clause, names), []);

const unique = (names: readonly string[]): readonly string[] => [
  ...new Map([...names].reverse().map((name) => [plainName(name), name])).values(),
];
