import { isLeft } from 'fp-ts/Either';
import { aggregatesIn, combinesRows, newNamesOf } from '../cypher/aggregates';
import { type AnalysedQuery, refusing } from '../cypher/analyse-query';
import { freshNames, name, number, projection, property, variable } from '../cypher/build';
import { itemTitles } from '../cypher/column-titles';
import { type Scope } from '../cypher/expression-types';
import { printQuery } from '../cypher/print-query';
import { scopesOf } from '../cypher/scopes';
import { shape } from '../cypher/shape';
import { type Clause, type Expression } from '../cypher/tree';
import { expressionsIn, isProjection, replaceOutermost, usedNamesIn } from '../cypher/walk';

/** The clauses that an engine runs, up to the last one that reads the graph, and those that the pod computes. */
export interface DividedQuery {
  /** The query for the engine. */
  readonly text: string;
  /** The meaning of the columns of its answer in the rest: a name, or a property of a name. */
  readonly columns: readonly ReadColumn[];
  readonly rest: readonly Clause[];
}

interface ReadColumn {
  /** Its name in the answer. */
  readonly called: string;
  readonly name: string;
  readonly property: string | null;
}

/** Maximum number of rows from which the pod computes a result, because other requests wait. */
export const MAX_READ_ROWS = 10_000;

/** The ways to divide a query, that with most work of the engine first; empty if the pod cannot compute the rest. */
export const dividedQueries = (analysed: AnalysedQuery): readonly DividedQuery[] => {
  const found = refusing(analysed.text, () => divisions(analysed));
  return isLeft(found) ? [] : found.right;
};

const divisions = ({ text, query, explain }: AnalysedQuery): readonly DividedQuery[] => {
  if (explain !== null || query.parts.length > 1) return [];
  const [clauses = []] = query.parts;
  const at = clauses.findLastIndex(readsGraph);
  const last = clauses[at];
  if (last === undefined) return [];
  const scope: Scope = scopesOf(query).after.get(last) ?? new Map<string, never>();
  const titles = itemTitles(text, query);
  const [head, rest] = [clauses.slice(0, at), clauses.slice(at + 1).map((clause) => withTitles(clause, titles))];
  const divided = [divide(text, [...head, last], rest, scope)];
  const isSearch = last.kind === 'match' && last.paths.some(({ shortest }) => shortest !== null);
  // A condition may be part of a search for shortest paths.
  if (last.kind === 'match' && !isSearch && !last.optional && last.where !== null) {
    const kept = [...scope.keys()].filter((known) => usedNamesIn([last.where, rest]).has(known));
    const items = kept.map((known) => [variable(known, last), known] as const);
    const tested = { ...projection('with', items, last), where: last.where };
    if (items.length > 0) divided.push(divide(text, [...head, { ...last, where: null }], [tested, ...rest], scope));
  }
  return divided.filter(({ rest: computed }) => isComputable(computed));
};

/** The parts of a UNION as queries with its columns; empty for another query. */
export const partsOfUnion = ({ text, query, explain }: AnalysedQuery): readonly string[] => {
  if (explain !== null || query.parts.length < 2 || new Set(query.unions).size > 1) return [];
  return query.parts.map((clauses) => {
    const titles = itemTitles(text, { parts: [clauses], unions: [] });
    const limited = clauses.map((clause) =>
      clause.kind === 'return' ? { ...clause, limit: clause.limit ?? number(`${MAX_READ_ROWS + 1}`, clause) } : clause,
    );
    const part = limited.map((clause) => withTitles(clause, titles));
    return printQuery({ parts: [part], unions: [] }).text;
  });
};

export const readsGraph = ({ kind }: Clause): boolean =>
  kind === 'match' || kind === 'call_procedure' || kind === 'call_query';

/**
 * Whether the pod may compute clauses: a regular expression may take unlimited time, and ids are internal to the
 * engine.
 */
export const isComputable = (clauses: readonly Clause[]): boolean =>
  expressionsIn(clauses).every(
    (value) =>
      (value.kind !== 'binary' || value.operator !== '=~') &&
      (value.kind !== 'call' || !/^(id|elementid)$/i.test(value.name)) &&
      (value.kind !== 'comprehension' || aggregatesIn(value).length === 0),
  );

const withTitles = (clause: Clause, titles: readonly (string | null)[]): Clause =>
  clause.kind !== 'return'
    ? clause
    : {
        ...clause,
        items: clause.items.map((item, at) => ({ ...item, alias: item.alias ?? name(titles[at] ?? '', item) })),
      };

const divide = (text: string, head: readonly Clause[], after: readonly Clause[], scope: Scope): DividedQuery => {
  const newName = freshNames(text);
  const [found, rest] = withoutPatterns(after, newName);
  const used = usesOf(rest, scope);
  const columns = [...used].flatMap(([known, properties]): readonly ReadColumn[] =>
    properties === null
      ? [{ called: newName(), name: known, property: null }]
      : [...properties].map((property) => ({ called: newName(), name: known, property })),
  );
  const place = { start: head.at(-1)?.end ?? 0, end: head.at(-1)?.end ?? 0 };
  const values = columns.map(({ called, name: known, property: own }): readonly [Expression, string] => {
    const whole = variable(known, place);
    return [own === null ? whole : property(whole, own), called];
  });
  const items = [...values, ...[...found.values()].map(({ value, called }) => [value, called] as const)];
  const clause = projection('return', items.length > 0 ? items : [[number('1', place), newName()]], place);
  const returned = { ...clause, limit: number(`${rowsNeeded(rest)}`, place) };
  const asked = printQuery({ parts: [[...head, returned]], unions: [] }).text;
  const ownColumns = [...found.values()].map(({ called }) => ({ called, name: called, property: null }));
  return { text: asked, columns: [...columns, ...ownColumns], rest };
};

interface Found {
  readonly value: Expression;
  readonly called: string;
}

/**
 * Gives names to subqueries and lists of patterns of the first clause; not to a bare pattern, which may lose rows as a
 * value, and not if they use names that are given to other values in this clause.
 */
const withoutPatterns = (
  [first, ...others]: readonly Clause[],
  newName: () => string,
): readonly [ReadonlyMap<string, Found>, readonly Clause[]] => {
  const found = new Map<string, Found>();
  if (first === undefined) return [found, others];
  const named = (value: Expression, locals: readonly string[]): Expression | null => {
    const isPattern = /^(subquery|pattern_comprehension)$/.test(value.kind);
    if (!isPattern || locals.some((local) => usedNamesIn(value).has(local))) return null;
    const known = found.get(shape(value)) ?? { value, called: newName() };
    found.set(shape(value), known);
    return variable(known.called, value);
  };
  if (!isProjection(first)) return [found, [replaceOutermost(first, named), ...others]];
  const { items, ...after } = first;
  const changed = { ...replaceOutermost(after, named, newNamesOf(first)), items: replaceOutermost(items, named) };
  return [found, [changed, ...others]];
};

/** The names that clauses use, with the properties if they use only properties of a name. */
const usesOf = (clauses: readonly Clause[], scope: Scope): ReadonlyMap<string, ReadonlySet<string> | null> => {
  const all = expressionsIn(clauses);
  const projected = all.flatMap((value) => (value.kind === 'map_projection' ? [value.of.text] : []));
  const uses = new Map<string, Set<string> | null>();
  for (const known of scope.keys()) {
    const places = all.filter((value) => value.kind === 'variable' && value.name === known).length;
    const properties = all.flatMap((value) =>
      value.kind === 'property' && value.of.kind === 'variable' && value.of.name === known ? [value.name.text] : [],
    );
    const isEntity = /^(node|relationship)$/.test(scope.get(known)?.kind ?? '');
    const isWhole = !isEntity || properties.length < places || projected.includes(known);
    if (places > 0 || projected.includes(known)) uses.set(known, isWhole ? null : new Set(properties));
  }
  return uses;
};

/** A RETURN that keeps all rows in their order needs only those within its LIMIT. */
const rowsNeeded = ([first, ...others]: readonly Clause[]): number => {
  if (first?.kind !== 'return' || others.length > 0 || first.orderBy.length > 0 || combinesRows(first))
    return MAX_READ_ROWS + 1;
  const [skip, limit] = [first.skip, first.limit].map((bound) =>
    bound?.kind === 'number' ? Number(bound.text) : null,
  );
  const wanted = (first.skip === null ? 0 : (skip ?? NaN)) + (limit ?? NaN);
  return Number.isNaN(wanted) ? MAX_READ_ROWS + 1 : Math.min(wanted, MAX_READ_ROWS + 1);
};
