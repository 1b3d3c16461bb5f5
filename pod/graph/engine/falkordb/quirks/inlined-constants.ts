import { literal, name } from '../../cypher/build';
import { itemName } from '../../cypher/column-titles';
import { type Clause, type Expression, type Parameter, type ProjectionClause, type Query } from '../../cypher/tree';
import { changeExpressions, usedNamesIn } from '../../cypher/walk';

type Constants = ReadonlyMap<string, Parameter>;

/**
 * A query with constants in place of the names that WITH gives them, as `d` in `WITH $c AS d MATCH (n) WHERE n.day = d`,
 * so that they are next to what they are compared with. A name that a subquery uses remains.
 */
export const inlinedConstants = (query: Query, isConstant: (value: Expression) => value is Parameter): Query => ({
  ...query,
  parts: query.parts.map((clauses) => {
    const remaining = new Set(
      clauses.flatMap((clause) => (clause.kind === 'call_query' ? [...usedNamesIn(clause)] : [])),
    );
    let constants: Constants = new Map();
    return clauses.map((clause): Clause => {
      if (clause.kind !== 'with') return withConstants(clause, constants);
      const next = new Map(
        clause.items.flatMap((item) => {
          const { value } = item;
          const constant =
            value.kind === 'variable' ? constants.get(value.name) : isConstant(value) ? value : undefined;
          const text = itemName(item) ?? '';
          return constant === undefined || remaining.has(text) ? [] : [[text, constant] as const];
        }),
      );
      const changed = withoutNames(clause, constants, next);
      constants = next;
      return changed;
    });
  }),
});

const withConstants = <P>(part: P, constants: Constants): P =>
  constants.size === 0
    ? part
    : changeExpressions(part, (value) => {
        const constant = value.kind === 'variable' ? constants.get(value.name) : undefined;
        return constant === undefined ? value : { ...constant, start: value.start, end: value.end };
      });

/** A WITH whose named constants are null, because later clauses do not use the names. */
const withoutNames = (clause: ProjectionClause, before: Constants, next: Constants): ProjectionClause => {
  const items = clause.items.map((item) => {
    const text = itemName(item) ?? '';
    return next.has(text)
      ? { ...item, value: literal(null, item), alias: item.alias ?? name(text, item) }
      : withConstants(item, before);
  });
  const both = new Map([...before, ...next]);
  // The order by a constant is none.
  const orderBy = clause.orderBy.map((item) =>
    item.value.kind === 'variable' && next.has(item.value.name) ? item : withConstants(item, both),
  );
  return { ...clause, items, orderBy, where: withConstants(clause.where, both) };
};
