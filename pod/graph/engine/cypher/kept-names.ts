import { aggregatesIn, newNamesOf } from './aggregates';
import { itself, name, projection } from './build';
import { fail } from './query-fault';
import { ALL_NAMES } from './scope';
import { namesOfPaths } from './steps';
import { type Clause, type Expression, type ProjectionClause, type Query } from './tree';
import { isProjection, replaceOutermost, usedNamesIn } from './walk';

type Names = ReadonlySet<string>;

/**
 * A query whose subqueries keep the names from outside: in EXISTS, COUNT and COLLECT and in `CALL (a) { … }`, such a name
 * has one value everywhere, also behind a WITH that does not list it. Each WITH lists those that are used later.
 * `CALL { WITH a … }` keeps what its WITH clauses list. Throws a `QueryFault` if a WITH gives such a name to another value.
 */
export const withKeptNames = (query: Query): Query => keptIn(query, new Set());

const keptIn = (query: Query, outer: Names): Query => ({
  ...query,
  parts: query.parts.map((clauses) => {
    let kept: readonly Clause[] = [];
    let names = outer;
    for (const [at, clause] of clauses.entries()) {
      const after = namesAfter(clause, names, outer);
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
  const another = newNamesOf(clause).find((text) => outer.has(text));
  if (another !== undefined) fail(`${another} is a name from outside of this subquery; choose another name.`, clause);
  const listed = columnsOf(clause);
  const used = usedNamesIn([others, clause.where, clause.orderBy]);
  const missing = [...outer].filter((text) => used.has(text) && !listed.includes(text) && !listed.includes(ALL_NAMES));
  if (missing.length === 0) return [...before, clause];
  const { items } = projection('with', itself(missing, clause), clause);
  if (clause.items.some(({ value }) => aggregatesIn(value).length === 0))
    return [...before, { ...clause, items: [...clause.items, ...items] }];
  // With a name beside its aggregates, it would not have a row if there are no rows before it.
  const rows: readonly Clause[] = [...before, { ...clause, kind: 'return', where: null }];
  const imports = [...outer].filter((text) => usedNamesIn(rows).has(text)).map((text) => name(text, clause));
  const aggregates: Clause = { kind: 'call_query', imports, query: { parts: [rows], unions: [] }, start: clause.start, end: clause.end }; // prettier-ignore
  if (clause.where === null) return [aggregates];
  return [aggregates, { ...projection('with', itself([...listed, ...missing], clause), clause), where: clause.where }];
};

/** The names of the columns of a WITH or RETURN; `*` for all names. */
const columnsOf = ({ items }: ProjectionClause): readonly string[] =>
  items.flatMap(({ value, alias }) => {
    if (value.kind === 'star') return ALL_NAMES;
    return alias?.text ?? (value.kind === 'variable' ? value.name : []);
  });

const namesAfter = (clause: Clause, before: Names, outer: Names): Names => {
  switch (clause.kind) {
    case 'match':
      return new Set([...before, ...namesOfPaths(clause.paths)]);
    case 'unwind':
      return new Set([...before, clause.name.text]);
    case 'call_procedure':
      return new Set([...before, ...(clause.yields ?? []).map(({ name: result, alias }) => (alias ?? result).text)]);
    case 'call_query': {
      const last = clause.query.parts[0]?.at(-1);
      return new Set([...before, ...(last !== undefined && isProjection(last) ? columnsOf(last) : [])]);
    }
    case 'with':
    case 'return': {
      const columns = columnsOf(clause);
      return new Set([...outer, ...(columns.includes(ALL_NAMES) ? before : []), ...columns]);
    }
  }
};

/** A clause with the names kept in its subqueries. */
const withSubqueries = (clause: Clause, before: Names, after: Names): Clause => {
  switch (clause.kind) {
    case 'match':
    case 'call_procedure':
      return inside(clause, after);
    case 'unwind':
      return inside(clause, before);
    case 'call_query': {
      const all = clause.imports?.some(({ text }) => text === ALL_NAMES) === true;
      return {
        ...clause,
        query: keptIn(clause.query, all ? before : new Set(clause.imports?.map(({ text }) => text))),
      };
    }
    case 'with':
    case 'return': {
      const both = new Set([...before, ...after]);
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
    const all = new Set([...names, ...locals]);
    if (value.kind === 'subquery') return { ...value, query: keptIn(value.query, all) };
    if (value.kind !== 'pattern_comprehension') return null;
    const found = new Set([...all, ...namesOfPaths([value.path])]);
    return {
      ...value,
      path: inside(value.path, found),
      where: inside(value.where, found),
      value: inside(value.value, found),
    };
  });
