import { combinesRows, newNamesOf } from '../../cypher/aggregates';
import { itself, name, number, projection, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Scope, scopesOf } from '../../cypher/scopes';
import { shape } from '../../cypher/shape';
import { type Clause, type Name, type ProjectionClause, type ProjectionItem } from '../../cypher/tree';
import { changeClauseLists, changeExpressions, changeVariables, outerNamesIn } from '../../cypher/walk';

export const orderOfWith: Quirk = {
  id: 'kuzu-order-of-with',
  description: 'WITH … ORDER BY requires a LIMIT.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH n.id AS id ORDER BY id DESC RETURN collect(id)',
    right: [[[2, 1]]],
    wrong: 'error',
  },
  rewrite: (query) =>
    changeClauseLists(query, (clauses) =>
      clauses.map((clause) =>
        clause.kind === 'with' && clause.orderBy.length > 0 && clause.limit === null
          ? { ...clause, limit: number('9223372036854775807', clause) }
          : clause,
      ),
    ),
};

/** Values of items are replaced by their names; other names are kept until the condition is tested. */
export const namesAfterWith: Quirk = {
  id: 'kuzu-names-after-with',
  description: 'WHERE after WITH, and ORDER BY with aggregates or DISTINCT, can use only the returned columns.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH n.id + 1 AS next WHERE n.id = 1 RETURN next',
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query, { newName }) => {
    const { before, after } = scopesOf(query);
    return changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause): readonly Clause[] => {
        if (clause.kind !== 'with' && clause.kind !== 'return') return [clause];
        const [outer, columns] = [before.get(clause), after.get(clause)];
        const named = outer === undefined || columns === undefined ? clause : withNames(clause, outer, newName);
        return named.kind === 'with' && columns !== undefined ? tested(named, outer ?? columns, columns) : [named];
      }),
    );
  },
};

export const shadowedNames: Quirk = {
  id: 'kuzu-shadowed-names',
  description: 'ORDER BY uses the old value of a variable that the same WITH redefines.',
  shown: {
    query: 'UNWIND [1, 2] AS x WITH 0 - x AS x ORDER BY x LIMIT 2 RETURN collect(x)',
    right: [[[-2, -1]]],
    wrong: [[[-1, -2]]],
  },
  rewrite: (query, { newName }) => {
    const { before, after } = scopesOf(query);
    return changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause): readonly Clause[] => {
        const [known, columns] = [before.get(clause), after.get(clause)];
        if ((clause.kind !== 'with' && clause.kind !== 'return') || known === undefined) return [clause];
        const sorted = clause.orderBy.flatMap(({ value }) => outerNamesIn(value));
        const added = newNamesOf(clause).filter((text) => known.has(text) && sorted.includes(text));
        const shadowed = clause.items.flatMap(({ alias }) =>
          alias !== null && added.includes(alias.text) ? alias : [],
        );
        const [first] = shadowed;
        if (first === undefined) return [clause];
        if (clause.kind === 'with' && columns !== undefined) return renamedAfter(clause, shadowed, columns, newName);
        throw new QueryFault(
          `${first.text} has a value before, which ORDER BY would use; choose another name.`,
          first.start,
        );
      }),
    );
  },
};

/** The clause with new names for some of its columns, and another one that gives them their own. */
const renamedAfter = (
  clause: ProjectionClause,
  shadowed: readonly Name[],
  columns: Scope,
  newName: () => string,
): readonly Clause[] => {
  const names = new Map(shadowed.map(({ text }) => [text, newName()]));
  const renamed = <P>(part: P): P => changeVariables(part, (text) => names.get(text) ?? text);
  const items = clause.items.map((item) => {
    const text = names.get(item.alias?.text ?? '');
    return text === undefined ? item : { ...item, alias: name(text, item) };
  });
  const own = [...columns.keys()].map((text) => [variable(names.get(text) ?? text, clause), text] as const);
  return [
    { ...clause, items, orderBy: renamed(clause.orderBy), where: renamed(clause.where) },
    projection('with', own, clause),
  ];
};

/** Replaces the values of items by their names in WHERE, and in ORDER BY if rows are grouped. */
const withNames = (clause: ProjectionClause, outer: Scope, newName: () => string): ProjectionClause => {
  const isGrouped = combinesRows(clause);
  const sorted = isGrouped ? clause.orderBy : [];
  if (clause.where === null && sorted.length === 0) return clause;
  const named = new Map<string, string>();
  const added = new Set(newNamesOf(clause));
  const items = clause.items.map((item): ProjectionItem => {
    const { value, alias } = item;
    if (value.kind === 'star' || (value.kind === 'variable' && alias === null)) return item;
    const text = alias?.text ?? newName();
    if (!outer.has(text) && !outerNamesIn(value).some((used) => added.has(used))) named.set(shape(value), text);
    return { ...item, alias: alias ?? name(text, item) };
  });
  const renamed = <P>(part: P): P =>
    changeExpressions(part, (value) => {
      const text = named.get(shape(value));
      return text === undefined ? value : variable(text, value);
    });
  const isUsed = renamed(sorted) !== sorted;
  return {
    ...clause,
    items: isUsed ? items : clause.items,
    orderBy: isGrouped ? renamed(clause.orderBy) : clause.orderBy,
    where: renamed(clause.where),
  };
};

/** The clause, and another one if its condition needs names besides the columns. */
const tested = (clause: ProjectionClause, known: Scope, columns: Scope): readonly Clause[] => {
  const outer = outerNamesIn(clause.where ?? {}).filter((text) => known.has(text) && !columns.has(text));
  if (outer.length === 0) return [clause];
  if (combinesRows(clause))
    throw new QueryFault(`${outer[0]} is not a column of this WITH; add it.`, clause.where?.start ?? 0);
  const kept = projection('with', itself(outer, clause), clause);
  return [
    { ...clause, items: [...clause.items, ...kept.items] },
    projection('with', itself(columns.keys(), clause), clause),
  ];
};
