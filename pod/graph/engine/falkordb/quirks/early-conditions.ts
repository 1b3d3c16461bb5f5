import { and, conditionsOf, list, name, projection, variable } from '../../cypher/build';
import { itemName } from '../../cypher/column-titles';
import { type Cure } from '../../cypher/cure';
import { shape } from '../../cypher/shape';
import { namesOfPaths } from '../../cypher/steps';
import { make } from '../../cypher/template';
import { type Clause, type Expression, type ProjectionClause } from '../../cypher/tree';
import {
  changeClauseLists,
  changeClauses,
  changeVariables,
  clausesIn,
  expressionsIn,
  hasVolatile,
  outerNamesIn,
  replaceOutermost,
} from '../../cypher/walk';

/**
 * A condition after WITH that is false and the same for all rows ends the query: an aggregate after it does not return
 * a row. One with rand() is tested as soon as its names have values, before further clauses multiply the rows. So these
 * conditions become an item of a list that contains all names.
 */
export const constantConditions: Cure = (query) =>
  changeClauses(query, (clause) => {
    if (clause.kind !== 'with' && clause.kind !== 'match') return clause;
    if (clause.where === null) return clause;
    if (clause.kind === 'match') return dependent(clause, clause.where, namesOfPaths(clause.paths), isVolatile);
    const names = clause.items.flatMap((item) => itemName(item) ?? []);
    return dependent(clause, clause.where, names, (value) => isConstant(value) || isVolatile(value));
  });

const dependent = <C extends Clause>(
  clause: C,
  where: Expression,
  names: readonly string[],
  needs: (condition: Expression) => boolean,
): C => {
  const conditions = conditionsOf(where);
  if (names.length === 0 || !conditions.some(needs)) return clause;
  const all = list(
    names.map((text) => variable(text, clause)),
    clause,
  );
  const changed = conditions.map((value) => (needs(value) ? make('[_1, _2][0]', value, value, all) : value));
  return { ...clause, where: and(...changed) };
};

const isConstant = (value: Expression): boolean => outerNamesIn(value).length === 0 && !hasPattern(value);

const isVolatile = (value: Expression): boolean => hasVolatile(value) && !hasPattern(value);

const hasPattern = (value: Expression): boolean =>
  expressionsIn(value).some(({ kind }) => /^(pattern|pattern_comprehension|subquery)$/.test(kind));

/**
 * A condition with any(…), a list comprehension or reduce is evaluated before the variables in it are bound, and a
 * variable that OPTIONAL MATCH leaves null keeps its value of the previous row. So the values inside of a list
 * expression are read next to its list.
 */
export const overlookedNames: Cure = (query, { newName }) => {
  const mayBeNull = clausesIn(query).some((clause) => clause.kind === 'match' && clause.optional);
  return changeClauses(query, (clause) => {
    if (mayBeNull) return withValuesOutside(clause, newName);
    return 'where' in clause ? { ...clause, where: withValuesOutside(clause.where, newName) } : clause;
  });
};

/** `any(x IN n.list WHERE x = n.id)` as `[v IN [[n.list, n.id]] | any(x IN v[0] WHERE x = v[1])][0]`. */
const withValuesOutside = <P>(part: P, newName: () => string): P =>
  replaceOutermost(part, (value) => {
    if (!('list' in value) || outerNamesIn({ ...value, list: null }).length === 0) return null;
    const values = new Map<string, Expression>();
    const own = variable(newName(), value);
    const inside = replaceOutermost<Expression>(value, (inner, locals) => {
      const root = inner.kind === 'property' ? inner.of : inner;
      if (root.kind !== 'variable' || locals.includes(root.name)) return null;
      values.set(shape(inner), inner);
      return make(`_1[${[...values.keys()].indexOf(shape(inner))}]`, inner, own);
    });
    return make('[_1 IN [_2] | _3][0]', value, own, list([...values.values()], value), inside);
  });

/**
 * A condition is tested as soon as its names have values, also before the rows are cut. So an additional WITH sets the
 * names.
 */
export const limitedRows: Cure = (query, { newName }) => {
  if (!clausesIn(query).some(isLimited)) return query;
  return changeClauseLists(query, (clauses) =>
    clauses.flatMap((clause, at) =>
      isLimited(clause) && (clause.where !== null || hasCondition(clauses.slice(at + 1)))
        ? inTwo(clause, newName)
        : [clause],
    ),
  );
};

const isLimited = (clause: Clause): clause is ProjectionClause =>
  clause.kind === 'with' && (clause.skip !== null || clause.limit !== null);

const hasCondition = (clauses: readonly Clause[]): boolean =>
  clauses.some((clause) => clause.kind !== 'unwind' && clause.kind !== 'return');

const inTwo = (clause: ProjectionClause, newName: () => string): readonly Clause[] => {
  const renamed = new Map<string, string>();
  const items = clause.items.map((item) => {
    const own = newName();
    renamed.set(itemName(item) ?? own, own);
    return { ...item, alias: name(own, item) };
  });
  const orderBy = changeVariables(clause.orderBy, (text) => renamed.get(text) ?? text);
  const again = [...renamed].map(([text, own]) => [variable(own, clause), text] as const);
  return [
    { ...clause, items, orderBy, where: null },
    { ...projection('with', again, clause), where: clause.where },
  ];
};
