import { aggregatesIn, newNamesOf } from './aggregates';
import { itself, name, projection } from './build';
import { added, type Names, namesAfter } from './names-after';
import { fail } from './query-fault';
import { ALL_NAMES } from './scope';
import { namesOfPaths } from './steps';
import { type Clause, type Expression, type ProjectionClause, type Query } from './tree';
import { isProjection, replaceOutermost, usedNamesIn } from './walk';

/**
 * A query whose subqueries keep the names from outside: in EXISTS, COUNT and COLLECT and in `CALL (a) { … }`, such a name
 * has one value everywhere, also behind a WITH that does not list it. Each WITH lists those that are used later.
 * `CALL { WITH a … }` keeps what its WITH clauses list. Throws a `QueryFault` if a WITH gives such a name to another value.
 */
export const withKeptNames = (query: Query): Query => keptIn(query, []);

const keptIn = (query: Query, outer: Names): Query => ({
  ...query,
  parts: query.parts.map((clauses) => {
    let kept: readonly Clause[] = [];
    let names = outer;
    for (const [at, clause] of clauses.entries()) {
      const found = namesAfter(clause, names);
      const after = isProjection(clause) ? added(outer, clause.items.some(isStar) ? names : [], found) : found;
      const changed = withSubqueries(clause, names, after);
      kept = changed.kind === 'with' ? behindWith(kept, changed, clauses.slice(at + 1), outer) : [...kept, changed];
      names = after;
    }
    return kept;
  }),
});

/** The clauses up to a WITH, behind which the outer names that the others use are known. */
const behindWith = (
  before: readonly Clause[],
  clause: ProjectionClause,
  others: readonly Clause[],
  outer: Names,
): readonly Clause[] => {
  const another = newNamesOf(clause).find((text) => outer.includes(text));
  if (another !== undefined) fail(`${another} is a name from outside of this subquery; choose another name.`, clause);
  const listed = namesAfter(clause, []);
  const used = usedNamesIn([others, clause.where, clause.orderBy]);
  const missing = outer.filter((text) => used.has(text) && !listed.includes(text));
  if (missing.length === 0 || clause.items.some(isStar)) return [...before, clause];
  const { items } = projection('with', itself(missing, clause), clause);
  if (clause.items.some(({ value }) => aggregatesIn(value).length === 0))
    return [...before, { ...clause, items: [...clause.items, ...items] }];
  // A key beside the aggregates would make groups, and without rows there is no group.
  const rows: readonly Clause[] = [...before, { ...clause, kind: 'return', where: null }];
  const imports = outer.filter((text) => usedNamesIn(rows).has(text)).map((text) => name(text, clause));
  const aggregates: Clause = { kind: 'call_query', imports, query: { parts: [rows], unions: [] }, start: clause.start, end: clause.end }; // prettier-ignore
  if (clause.where === null) return [aggregates];
  return [aggregates, { ...projection('with', itself([...listed, ...missing], clause), clause), where: clause.where }];
};

const isStar = ({ value }: ProjectionClause['items'][number]): boolean => value.kind === 'star';

/** A clause with the names kept in its subqueries. */
const withSubqueries = (clause: Clause, before: Names, after: Names): Clause => {
  switch (clause.kind) {
    case 'match':
    case 'call_procedure':
      return inside(clause, after);
    case 'unwind':
      return inside(clause, before);
    case 'call_query': {
      const imported = clause.imports?.map(({ text }) => text) ?? [];
      return { ...clause, query: keptIn(clause.query, imported.includes(ALL_NAMES) ? before : imported) };
    }
    case 'with':
    case 'return': {
      const both = added(before, after);
      const { orderBy, where } = clause;
      return {
        ...clause,
        items: inside(clause.items, before),
        orderBy: inside(orderBy, both),
        where: inside(where, both),
      };
    }
  }
};

/** A part of a tree with the names kept in the subqueries of its expressions. */
const inside = <P>(part: P, names: Names): P =>
  replaceOutermost(part, (value, locals): Expression | null => {
    const all = added(names, locals);
    if (value.kind === 'subquery') return { ...value, query: keptIn(value.query, all) };
    if (value.kind !== 'pattern_comprehension') return null;
    const found = added(all, namesOfPaths([value.path]));
    return {
      ...value,
      path: inside(value.path, found),
      where: inside(value.where, found),
      value: inside(value.value, found),
    };
  });
