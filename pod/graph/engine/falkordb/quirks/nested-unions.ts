import { itself, list, number, projection, unwind, variable } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { make } from '../../cypher/template';
import { type Expression, type Query, type SubqueryClause } from '../../cypher/tree';
import { namesIn } from '../../cypher/walk';
import { type Names, namesAfter } from '../clauses/expand-clauses';

/**
 * In a subquery, a `CALL { … UNION … }` behind clauses that find no rows for the first outer row returns nulls for the
 * next ones, or ends the server. It becomes a `CALL` for each part, which collects its rows, and an UNWIND of them all.
 */
export const nestedUnions: Cure = (query, { newName }) => {
  /** `names`: those before the query; `isLater`: whether clauses of an outer subquery come before it. */
  const inside = (query: Query, names: Names | null, isLater: boolean): Query => ({
    ...query,
    parts: query.parts.map((clauses) => {
      let known = names ?? [];
      return clauses.map((clause, at) => {
        const before = known;
        known = namesAfter(clause, before);
        if (clause.kind !== 'call_query') return clause;
        const isBehind = isLater || (names !== null && !(at === 0 || (at === 1 && clauses[0]?.kind === 'with')));
        const call = { ...clause, query: inside(clause.query, before, isBehind) };
        return isBehind && call.query.parts.length > 1 ? withLists(call, before, newName) : call;
      });
    }),
  });
  return inside(query, null, false);
};

const withLists = (clause: SubqueryClause, names: Names, newName: () => string): SubqueryClause => {
  const { parts, unions } = clause.query;
  const columns = namesAfter(clause, []);
  const valueOf = (text: string): Expression => variable(text, clause);
  const values = list(columns.map(valueOf), clause);
  const calls = parts.map((part): SubqueryClause => {
    const rows = part.map((each) => (each.kind === 'return' ? { ...each, kind: 'with' as const } : each));
    // The first WITH of a subquery imports names.
    const before = part.length === 1 ? [unwind(list([number('1', clause)], clause), newName(), clause)] : [];
    const collected = projection('return', [[make('collect(_1)', clause, values), newName()]], clause);
    return { ...clause, query: { parts: [[...before, ...rows, collected]], unions: [] } };
  });
  const lists = calls.flatMap((call) => namesAfter(call, [])).map(valueOf);
  const row = newName();
  const items = columns.map(
    (text, at) => [make('_1[_2]', clause, valueOf(row), number(String(at), clause)), text] as const,
  );
  const imported = itself(
    names.filter((text) => namesIn(parts).has(text)),
    clause,
  );
  const clauses = [
    ...(imported.length === 0 ? [] : [projection('with', imported, clause)]),
    ...calls,
    unwind(
      lists.reduce((first, next) => make('_1 + _2', clause, first, next)),
      row,
      clause,
    ),
    { ...projection('return', items, clause), distinct: unions.includes('UNION') },
  ];
  return { ...clause, query: { parts: [clauses], unions: [] } };
};
