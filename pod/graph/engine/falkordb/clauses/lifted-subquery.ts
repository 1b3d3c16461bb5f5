import { aggregatesIn } from '../../cypher/aggregates';
import { itself, list, matching, name, number, projection, unwind, variable } from '../../cypher/build';
import { type Names } from '../../cypher/names-after';
import { make, type Template, template } from '../../cypher/template';
import {
  type Clause,
  type Expression,
  type PathPattern,
  type ProjectionClause,
  type Query,
  type Span,
  type SubqueryClause,
  type SubqueryExpression,
} from '../../cypher/tree';
import { changeVariables, namesIn } from '../../cypher/walk';
import { isSubquery } from './native-condition';

/** A subquery as clauses whose result is one value. */
export interface LiftedSubquery {
  /** The last one returns the result by a name. */
  readonly clauses: (result: string) => readonly Clause[];
  /** The value of the subquery, from its `result`. */
  readonly read: Template;
}

const isMore = template('result > 0');
const asItIs = template('result');
const unboxed = template('[_item IN result | _item[0]]');
const firstBoxed = template('result[0][0]');

/** Null for an expression that is not a subquery, whatever it contains; `names`: those that it may use. */
export const liftedSubquery = (
  value: Expression,
  names: readonly string[],
  newName: () => string,
): LiftedSubquery | null => {
  if (!isSubquery(value)) return null;
  if (value.kind === 'pattern' && value.path.shortest !== null) return searched(value.path, value, newName);
  if (value.kind === 'pattern') return existing([matched(value.path, null, value)], value, newName);
  if (value.kind === 'pattern_comprehension') {
    return listed([matched(value.path, value.where, value)], value.value, value);
  }
  return ofQuery(value, names, newName);
};

const ofQuery = (value: SubqueryExpression, names: readonly string[], newName: () => string): LiftedSubquery => {
  const [clauses = [], ...others] = value.query.parts;
  const last = clauses.at(-1);
  const ending = last?.kind === 'return' ? last : null;
  const isPlain = others.length === 0 && (ending === null || keepsRows(ending));
  const before = ending === null ? clauses : clauses.slice(0, -1);
  const rows = isPlain ? before : [called(returning(value.query, newName(), value), names, value)];
  if (value.word === 'COUNT') return counted(rows, value);
  if (value.word === 'EXISTS') return existing(rows, value, newName);
  const [item] = ending?.items ?? [];
  if (isPlain && item !== undefined) return listed(rows, item.value, value);
  const column = newName();
  const parts = value.query.parts.map((part) => part.map((clause) => withColumn(clause, column)));
  return listed([called({ ...value.query, parts }, names, value)], variable(column, value), value);
};

/** A query whose parts all end with RETURN, which EXISTS and COUNT do not need. */
const returning = (query: Query, column: string, place: Span): Query => {
  const end = projection('return', [[number('1', place), column]], place);
  return { ...query, parts: query.parts.map((part) => (part.at(-1)?.kind === 'return' ? part : [...part, end])) };
};

/** A RETURN of one value with another name. */
const withColumn = (clause: Clause, column: string): Clause => {
  if (clause.kind !== 'return') return clause;
  const names = clause.items.map(({ alias }) => alias?.text);
  return {
    ...clause,
    items: clause.items.map((item) => ({ ...item, alias: name(column, item) })),
    orderBy: changeVariables(clause.orderBy, (text) => (names.includes(text) ? column : text)),
  };
};

/** Whether a RETURN keeps every row. */
export const keepsRows = ({ distinct, items, orderBy, skip, limit }: ProjectionClause): boolean =>
  !distinct &&
  orderBy.length === 0 &&
  skip === null &&
  limit === null &&
  items.every(({ value }) => aggregatesIn(value).length === 0);

/** `CALL { … }` with the names that it uses. */
export const called = (query: Query, names: readonly string[], place: Span): SubqueryClause => {
  const { start, end } = place;
  const mentioned = namesIn(query);
  const imports = names.filter((text) => mentioned.has(text)).map((text) => name(text, place));
  return { kind: 'call_query', imports, query, start, end };
};

const matched = (path: PathPattern, where: Expression | null, place: Span): Clause => matching([path], where, place);

const counted = (rows: readonly Clause[], place: Span): LiftedSubquery => ({
  clauses: (result) => [...rows, projection('return', [[make('count(*)', place), result]], place)],
  read: asItIs,
});

const existing = (rows: readonly Clause[], place: Span, newName: () => string): LiftedSubquery => {
  const one = number('1', place);
  const first = { ...projection('with', [[one, newName()]], place), limit: one };
  return { ...counted([...rows, first], place), read: isMore };
};

/** One shortest path, or all of them. */
const searched = (path: PathPattern, place: Span, newName: () => string): LiftedSubquery => {
  const named = path.name ?? name(newName(), path);
  const value = variable(named.text, named);
  const rows = [matched({ ...path, name: named }, null, place)];
  return { ...listed(rows, value, place), read: path.shortest === 'one' ? firstBoxed : unboxed };
};

/** `collect` skips nulls, so it gets lists of one value. */
const listed = (rows: readonly Clause[], item: Expression, place: Span): LiftedSubquery => ({
  clauses: (result) => [...rows, projection('return', [[make('collect([_1])', place, item), result]], place)],
  read: unboxed,
});

/**
 * The rows of clauses, or one with nulls, as an OPTIONAL MATCH, which has one pattern and one condition only. `before`
 * and `after`: the names before and after it.
 */
export const optionalRows = (
  clauses: readonly Clause[],
  [before, after]: readonly [before: Names, after: Names],
  place: Span,
  newName: () => string,
): readonly Clause[] => {
  const [rows, row] = [newName(), newName()];
  const added = after.filter((text) => !before.includes(text));
  const items = added.map((text) => variable(text, place));
  const all = make('collect(_1)', place, list(items, place));
  const values = added.map(
    (text, at) => [make('_1[_2]', place, variable(row, place), number(String(at), place)), text] as const,
  );
  return [
    called({ parts: [[...clauses, projection('return', [[all, rows]], place)]], unions: [] }, before, place),
    unwind(make('CASE WHEN size(_1) = 0 THEN [null] ELSE _1 END', place, variable(rows, place)), row, place),
    // A WITH needs a value.
    projection('with', [...itself(before.length + added.length === 0 ? [row] : before, place), ...values], place),
  ];
};
