import { combinesRows, newNamesOf } from '../../cypher/aggregates';
import { and, conditionsOf, itself, list, number, projection, unwind, variable } from '../../cypher/build';
import { withTitle } from '../../cypher/column-titles';
import { type Cure, type CureContext } from '../../cypher/cure';
import { type Names } from '../../cypher/names-after';
import { QueryFault } from '../../cypher/query-fault';
import { shape } from '../../cypher/shape';
import {
  type Clause,
  type Expression,
  type MatchClause,
  type ProjectionClause,
  type Query,
  type Span,
  type SubqueryClause,
} from '../../cypher/tree';
import { expressionsIn, isProjection, replaceOutermost, usedNamesIn } from '../../cypher/walk';
import { withDegrees } from '../clauses/degrees';
import { expandClauses } from '../clauses/expand-clauses';
import { called, keepsRows, liftedSubquery, optionalRows } from '../clauses/lifted-subquery';
import { isSubquery, nativeCondition } from '../clauses/native-condition';
import { isBoundNode } from './null-nodes';

/**
 * The engine does not support `EXISTS { … }`, `COUNT { … }` and `COLLECT { … }`. A pattern is a condition only in
 * WHERE, within AND, OR and NOT; anywhere else it is the list of its paths, true even if it is empty. The names of a
 * pattern comprehension keep their values in the next one. So each of them becomes a `CALL { … }` before its clause.
 */
export const subqueries: Cure = (query, context) =>
  expressionsIn(query).some(isSubquery) ? new Lifting(context).query(query, []) : query;

class Lifting {
  constructor(readonly context: CureContext) {}

  query(query: Query, names: Names): Query {
    return expandClauses(query, (clause, before, after) => this.#clause(clause, before, after), names);
  }

  #clause(original: Clause, before: Names, after: Names): readonly Clause[] {
    if (original.kind === 'call_query') return [original];
    const clause = withDegrees(original, original.kind === 'match' ? after : before, this.context.schema);
    if (!expressionsIn(clause).some(isSubquery)) return [clause];
    if (clause.kind === 'match') return this.#match(clause, before, after);
    if (isProjection(clause)) return this.#projection(clause, before, after);
    const [calls, lifted] = this.#lift(clause, before);
    return [...calls, lifted];
  }

  /**
   * The subqueries of ORDER BY are computed before the clause, and those of WHERE after it: the engine tests a pattern
   * there too early if it uses columns, and not at all if it has properties.
   */
  #projection(clause: ProjectionClause, before: Names, after: Names): readonly Clause[] {
    const { where, ...values } = clause;
    const added = newNamesOf(clause);
    const usesColumns = (value: Expression): boolean => added.some((text) => usedNamesIn(value).has(text));
    const sorted = expressionsIn(clause.orderBy).filter(isSubquery).find(usesColumns);
    if (sorted !== undefined)
      throw new QueryFault(
        'A pattern in ORDER BY cannot use a name of its clause: name its value by WITH before.',
        sorted.start,
      );
    const [calls, lifted] = this.#lift(values, before);
    const items = lifted.items.map((item, at) => {
      const original = clause.items[at];
      return original === undefined || item === original
        ? item
        : { ...withTitle(original, this.context.text), value: item.value };
    });
    const [native, others] = split(where, () => null);
    const kept = before.filter((text) => !after.includes(text) && others.some((value) => usedNamesIn(value).has(text)));
    if (kept.length > 0 && combinesRows(clause))
      throw new QueryFault(`${kept[0]} is not a column of this WITH; add it.`, where?.start ?? clause.start);
    const projected = { ...lifted, items: [...items, ...projection('with', itself(kept, clause), clause).items] };
    const tested = [...calls, { ...projected, where: native }, ...this.#filter(others, [...after, ...kept])];
    return kept.length === 0 ? tested : [...tested, projection('with', itself(after, clause), clause)];
  }

  #match(clause: MatchClause, before: Names, after: Names): readonly Clause[] {
    const inside = expressionsIn(clause.paths).find(isSubquery);
    if (inside !== undefined) throw new QueryFault('Write this condition in WHERE, after the patterns.', inside.start);
    // A MATCH of bound nodes becomes a WITH.
    const isMatch = !clause.paths.every((path) => isBoundNode(path, before));
    const [where, others] = split(clause.where, (value) => (isMatch ? nativeCondition(value, after) : null));
    if (others.length === 0) return [{ ...clause, where }];
    const found = [{ ...clause, optional: false, where }, ...this.#filter(others, after)];
    if (!clause.optional) return found;
    return optionalRows(found, [before, after], clause, this.context.newName).map((each) =>
      each.kind === 'call_query' ? this.#inside(each) : each,
    );
  }

  /** A WITH that keeps the rows for which conditions are true; they can use only the names of this WITH. */
  #filter(conditions: readonly Expression[], names: Names): readonly Clause[] {
    const where = and(...conditions);
    if (where === null) return [];
    const [calls, lifted] = this.#lift(where, names);
    const all = [...names, ...calls.flatMap(({ query }) => resultOf(query))];
    return [...calls, { ...projection('with', itself(all, where), where), where: lifted }];
  }

  /** The clauses that compute the subqueries of a part of a clause, and the part with their results. */
  #lift<P>(part: P, names: Names): readonly [readonly SubqueryClause[], P] {
    const results = new Map<string, Expression>();
    const calls: SubqueryClause[] = [];
    const lifted = replaceOutermost(part, (value, locals) => {
      const found = liftedSubquery(value, names, this.context.newName);
      if (found === null) return null;
      const known = results.get(shape(value));
      if (known !== undefined) return known;
      refuseLocals(value, locals);
      const result = this.context.newName();
      calls.push(this.#call(found.clauses(result), names, value));
      const read = found.read({ result: variable(result, value) }, value);
      results.set(shape(value), read);
      return read;
    });
    return [calls, lifted];
  }

  #call(clauses: readonly Clause[], names: Names, place: Span): SubqueryClause {
    return this.#inside(called({ parts: [clauses], unions: [] }, names, place));
  }

  #inside(call: SubqueryClause): SubqueryClause {
    const imported = call.imports?.map(({ text }) => text);
    return { ...call, query: this.query(call.query, imported ?? []) };
  }
}

/** The conditions that the engine can test, and the others; `native`: one with patterns for the engine, null if it cannot. */
const split = (
  where: Expression | null,
  native: (value: Expression) => Expression | null,
): readonly [Expression | null, readonly Expression[]] => {
  const conditions = conditionsOf(where).map((value) => {
    const hasPattern = expressionsIn(value).some(isSubquery);
    return [value, hasPattern ? native(value) : value] as const;
  });
  const others = conditions.flatMap(([value, tested]) => (tested === null ? [value] : []));
  return [and(...conditions.map(([, tested]) => tested)), others];
};

/** The name under which a lifted subquery returns its result. */
const resultOf = ({ parts: [clauses = []] }: Query): Names => {
  const last = clauses.at(-1);
  return last?.kind === 'return' ? last.items.flatMap(({ alias }) => alias?.text ?? []) : [];
};

const refuseLocals = (value: Expression, locals: Names): void => {
  const mentioned = usedNamesIn(value);
  if (!locals.some((text) => mentioned.has(text))) return;
  const advice = 'write UNWIND list AS x and OPTIONAL MATCH (x)-->(y)';
  throw new QueryFault(`FalkorDB reads no pattern for each item of a list: ${advice}.`, value.start);
};

/**
 * The engine does not support `CALL (a) { … }`: each part of the subquery begins with `WITH a` instead. It takes any WITH
 * at the beginning for this, so one that does more comes second.
 */
export const importedNames: Cure = (query, { newName }) =>
  expandClauses(query, (clause, before) => [
    clause.kind === 'call_query' ? importing(clause, before, newName) : clause,
  ]);

const importing = (clause: SubqueryClause, before: Names, newName: () => string): Clause => {
  const { imports, query } = clause;
  const beginning = (clauses: readonly Clause[]): readonly Clause[] => {
    const [first] = clauses;
    const computes = first?.kind === 'with' && !isImport(first);
    const used = computes ? before.filter((text) => usedNamesIn(first).has(text)) : [];
    const imported = imports?.map(({ text }) => text) ?? used;
    if (imported.length > 0) return [projection('with', itself(imported, clause), clause), ...clauses];
    return computes ? [unwind(list([number('1', clause)], clause), newName(), clause), ...clauses] : clauses;
  };
  return { ...clause, imports: null, query: { ...query, parts: query.parts.map(beginning) } };
};

const isImport = (clause: ProjectionClause): boolean =>
  keepsRows(clause) && clause.where === null && newNamesOf(clause).length === 0;
