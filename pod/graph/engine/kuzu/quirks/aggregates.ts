import { byNames } from '../../cypher/by-names';
import { aggregatesIn } from '../../cypher/aggregates';
import { list, name, projection, unwind, variable } from '../../cypher/build';
import { withTitle } from '../../cypher/column-titles';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { scopesOf } from '../../cypher/scopes';
import { shape } from '../../cypher/shape';
import { template } from '../../cypher/template';
import { type Clause, type Expression, type ProjectionClause, type ProjectionItem } from '../../cypher/tree';
import { changeClauseLists, changeExpressions } from '../../cypher/walk';

const NOTHING = new Map([
  ['SUM', template('coalesce(made, 0)')],
  ['COLLECT', template('coalesce(made, [])')],
]);

export const aggregatesOfNothing: Quirk = {
  id: 'kuzu-aggregates-of-nothing',
  description: 'sum and collect of no values return null.',
  shown: {
    graph: 'CREATE (:N {id: 1})',
    query: 'MATCH (n:N) WHERE n.id > 1 RETURN sum(n.id), collect(n.id)',
    right: [[0, []]],
    wrong: [[null, null]],
  },
  rewrite: (query) =>
    changeExpressions(query, (value) => {
      const made = value.kind === 'call' ? NOTHING.get(value.name.toUpperCase()) : undefined;
      return made?.({ made: value }, value) ?? value;
    }),
};

/**
 * Aggregates are named by a separate WITH, those without DISTINCT first. The engine identifies a value by its text,
 * even if it is renamed; elements of an UNWIND are new values.
 */
export const aggregatesAfterDistinct: Quirk = {
  id: 'kuzu-aggregates-after-distinct',
  description: 'With grouping keys, an aggregate after a DISTINCT aggregate returns 0 or null.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) RETURN n.id % 1, count(DISTINCT n.id), count(*)',
    right: [[0, 2, 2]],
    wrong: [[0, 2, 0]],
  },
  rewrite: (query, context) => {
    const { before } = scopesOf(query);
    const hasRelationship = (clause: ProjectionClause): boolean =>
      clause.kind === 'return' &&
      clause.items.some(
        ({ value }) => value.kind === 'variable' && before.get(clause)?.get(value.name) === 'relationship',
      );
    return changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause, index) =>
        isAggregating(clause) &&
        (isUnordered(clause) || isUsedAgain(clause, clauses.slice(index + 1)) || hasRelationship(clause))
          ? split(clause, context)
          : [clause],
      ),
    );
  },
};

/** Cured together with them. */
export const groupedRelationships: Quirk = {
  id: 'kuzu-grouped-relationships',
  description: 'A relationship as a grouping key of RETURN may lose its type and its properties.',
  shown: {
    graph:
      'CREATE (:N {id: 1})-[:E]->(a:M {id: 1}), (:N {id: 2})-[:E]->(b:M {id: 2}), (a)-[:F]->(b), (:M {id: 3})-[:F]->(b)',
    query: 'MATCH (n:N)-[r:E]->(m:M)<-[:F]-(k:M) RETURN r, count(*)',
    right: [[{ _id: 'E:1', _type: 'E', _start: 'N:2', _end: 'M:2', _src: 'N:2', _dst: 'M:2' }, 2]],
    wrong: [[{ _id: ':0', _type: '', _start: 'N:1', _end: 'N:1', _src: 'N:1', _dst: 'N:1' }, 2]],
  },
};

export const equalAggregates: Quirk = {
  id: 'kuzu-equal-aggregates',
  description: 'The same aggregate in two clauses returns the same value in both.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH n, count(n) AS k RETURN k, count(n)',
    right: [[1, 2]],
    wrong: [[2, 2]],
  },
};

export const renamedCounts: Quirk = {
  id: 'kuzu-renamed-counts',
  description: 'count(*) returns 1 if a clause renames it and uses it again.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH count(*) AS k RETURN k AS x, k AS y',
    right: [[2, 2]],
    wrong: [[1, 1]],
  },
};

export const nestedAggregates: Quirk = {
  id: 'kuzu-nested-aggregates',
  description: 'An aggregate of a value that was computed from another aggregate is an error.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH count(*) + 1 AS k RETURN sum(k)',
    right: [[3]],
    wrong: 'error',
  },
};

const hasAggregate = ({ value }: ProjectionItem): boolean => aggregatesIn(value).length > 0;

const isAggregating = (clause: Clause): clause is ProjectionClause =>
  (clause.kind === 'with' || clause.kind === 'return') &&
  clause.items.some(hasAggregate) &&
  clause.items.every(({ value }) => value.kind !== 'star');

const isUnordered = ({ items, orderBy }: ProjectionClause): boolean => {
  const aggregates = [...items, ...orderBy].flatMap(({ value }) => aggregatesIn(value));
  const first = aggregates.findIndex(({ distinct }) => distinct);
  return first >= 0 && aggregates.slice(first).some(({ distinct }) => !distinct);
};

/** Whether later clauses aggregate, or rename the columns. */
const isUsedAgain = ({ items }: ProjectionClause, later: readonly Clause[]): boolean => {
  const names = new Set(items.filter(hasAggregate).flatMap(({ alias }) => alias?.text ?? []));
  return later.some(
    (clause) =>
      (clause.kind === 'with' || clause.kind === 'return') &&
      clause.items.some(
        (item) =>
          hasAggregate(item) || (item.value.kind === 'variable' && names.has(item.value.name) && item.alias !== null),
      ),
  );
};

const split = (clause: ProjectionClause, { text, newName }: QuirkContext): readonly Clause[] => {
  const { start, end, items, orderBy } = clause;
  const isWith = clause.kind === 'with';
  const named = new Map<string, { readonly value: Expression; readonly called: string }>();
  const groups = items.filter((item) => !hasAggregate(item));
  for (const { value, alias } of groups) {
    const own = alias?.text ?? (value.kind === 'variable' ? value.name : newName());
    if (!named.has(shape(value))) named.set(shape(value), { value, called: isWith ? own : newName() });
  }
  const aggregates = [...items, ...orderBy].flatMap(({ value }) => aggregatesIn(value));
  for (const value of [...aggregates].sort((a, b) => Number(a.distinct) - Number(b.distinct))) {
    if (!named.has(shape(value))) named.set(shape(value), { value, called: newName() });
  }
  const combined = byNames(named);
  // The engine requires an alias for a path.
  const first = {
    ...projection('with', [], clause),
    items: [...named.values()].map(({ value, called }) => ({ value, alias: name(called, value), start, end })),
  };
  const columns = items.map((item) => {
    const titled = withTitle(item, text);
    return { ...titled, called: hasAggregate(item) ? (isWith ? titled.alias.text : newName()) : null };
  });
  const unwound = columns.flatMap(({ value, called }): readonly Clause[] =>
    called === null ? [] : [unwind(list([combined(value)], clause), called, value)],
  );
  const last = {
    ...clause,
    items: columns.map(({ called, ...item }) => ({
      ...item,
      value: called === null ? combined(item.value) : variable(called, item),
    })),
    orderBy: combined(orderBy),
    where: combined(clause.where),
  };
  return [first, ...unwound, last];
};
