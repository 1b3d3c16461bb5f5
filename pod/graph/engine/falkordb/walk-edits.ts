import { type Either, left, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../query/analyse-query';
import { allClauses, isMatch, type Clause, type ReadingQuery } from '../query/clauses';
import { type CypherToken } from '../query/cypher-tokens';
import { namesAfter } from '../query/names-in-scope';
import { isDash, pathPatterns, plainName, type Step } from '../query/patterns';
import { isStar, projectionOf } from '../query/result-shape';
import { insertion, type TextEdit } from '../query/text-edits';

/**
 * Edits that make the engine find every row of a MATCH. It evaluates steps without a reference to their relationship as
 * products of boolean matrices, where parallel edges, and several nodes between the same two, become one row. So each
 * relationship gets a name and a condition that refers to it, unless the result cannot show how often a row occurs. `*`
 * is written out then, because it would include those names; left: a `*` that stands for no name.
 *
 * An OPTIONAL MATCH of several steps always gets them: otherwise names of its first steps keep their values where its
 * last step finds nothing.
 */
export const walkEdits = ({ text, query, counting }: AnalysedQuery): Either<CypherToken, readonly TextEdit[]> => {
  const newName = freshNames(text);
  const named = allClauses(query)
    .filter(isMatch)
    .flatMap((clause) => {
      const steps = pathPatterns(clause.body).flatMap(({ steps: all }) => all.filter(({ length }) => length === null));
      const isNeeded = counting.has(clause) || (clause.name === 'OPTIONAL MATCH' && steps.length > 1);
      return isNeeded && steps.length > 0 ? namingEdits(clause, steps, newName) : [];
    });
  if (named.length === 0) return right([]);
  const found = stars(query);
  const nameless = found.find(({ names }) => names.length === 0);
  return nameless === undefined ? right([...named, ...found.map(starEdit)]) : left(nameless.token);
};

/** Makes names that do not occur in a text. */
const freshNames = (text: string): (() => string) => {
  let prefix = '_r';
  while (text.includes(prefix)) prefix = `_${prefix}`;
  let made = 0;
  return () => `${prefix}${++made}`;
};

const namingEdits = (
  { body, condition }: Clause,
  steps: readonly Step[],
  newName: () => string,
): readonly TextEdit[] => {
  const names = steps.map(({ variable }) => variable ?? newName());
  const conditions = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const added = steps.flatMap((step, index) => (step.variable === null ? [nameEdit(step, names[index] ?? '')] : []));
  const end = (condition ?? body).at(-1)?.end ?? 0;
  if (condition === null) return [...added, insertion(end, ` WHERE ${conditions} `)];
  // In parentheses, because it may be an OR.
  return [...added, insertion(condition[0]?.start ?? end, '('), insertion(end, `) AND ${conditions} `)];
};

/** `-[:KNOWS]-` becomes `-[_r1:KNOWS]-`, and `--` becomes `-[_r1]-`. */
const nameEdit = ({ tokens }: Step, name: string): TextEdit => {
  const open = tokens.find(({ text }) => text === '[');
  if (open !== undefined) return insertion(open.end, name);
  return insertion(tokens.find(isDash)?.end ?? 0, `[${name}]`);
};

interface Star {
  readonly token: CypherToken;
  readonly names: readonly string[];
}

/** The engine sorts the columns of `*` by name. */
const starEdit = ({ token: { start, end }, names }: Star): TextEdit => ({
  start,
  end,
  words: [...names].sort((a, b) => Buffer.compare(Buffer.from(plainName(a)), Buffer.from(plainName(b)))).join(', '),
});

/** Each `*` of a WITH or RETURN, with the names it stands for. */
const stars = (query: ReadingQuery): readonly Star[] =>
  query.parts.flatMap((clauses) => {
    let inScope: readonly string[] = [];
    return clauses.flatMap((clause) => {
      const names = inScope;
      inScope = namesAfter(clause, names);
      const isProjection = clause.name === 'WITH' || clause.name === 'RETURN';
      const tokens = isProjection
        ? projectionOf(clause)
            .items.filter(isStar)
            .flatMap((item) => item.expression)
        : [];
      return [
        ...tokens.map((token) => ({ token, names })),
        ...clause.subqueries.flatMap((inner) => stars(inner.query)),
      ];
    });
  });
