import { name, variable } from '../../cypher/build';
import {
  type Comprehension,
  type Expression,
  type Name,
  type Quantifier,
  type Query,
  type Reduction,
} from '../../cypher/tree';
import { changeExpressions, clausesIn, expressionsIn } from '../../cypher/walk';
import { namesAfter } from './expand-clauses';

/**
 * A query where names for the items of lists stand for nothing else. The engine overwrites values of rows otherwise; it
 * depends on its memory whether that ends the server, as with
 * `UNWIND [1] AS x WITH x, 5 AS z RETURN [y IN [4, reduce(s = 0, x IN [9] | s + x)] WHERE y > x | y] AS l, x, z`.
 */
export const withOwnLocalNames = (query: Query, newName: () => string): Query => {
  const bindings = [...expressionsIn(query)].filter(isBinding);
  if (bindings.length === 0) return query;
  const used = new Set([...clausesIn(query)].flatMap((clause) => namesAfter(clause, [])));
  const repeated = bindings.flatMap(namesOf).filter((text, at, all) => used.has(text) || all.indexOf(text) !== at);
  if (repeated.length === 0) return query;
  return changeExpressions(query, (value) =>
    isBinding(value) && namesOf(value).some((text) => repeated.includes(text)) ? renamed(value, newName) : value,
  );
};

type Binding = Comprehension | Quantifier | Reduction;

const isBinding = (value: Expression): value is Binding =>
  value.kind === 'comprehension' || value.kind === 'quantifier' || value.kind === 'reduction';

const namesOf = (value: Binding): readonly string[] =>
  value.kind === 'reduction' ? [value.name.text, value.sum.text] : [value.name.text];

const renamed = (value: Binding, newName: () => string): Binding => {
  const own = new Map(namesOf(value).map((text) => [text, newName()]));
  const inside = <P extends Expression | null>(part: P): P =>
    changeExpressions(part, (inner) => {
      const text = inner.kind === 'variable' ? own.get(inner.name) : undefined;
      return text === undefined ? inner : variable(text, inner);
    });
  const ownName = (asked: Name): Name => name(own.get(asked.text) ?? asked.text, asked);
  switch (value.kind) {
    case 'reduction':
      return { ...value, name: ownName(value.name), sum: ownName(value.sum), value: inside(value.value) };
    case 'quantifier':
      return { ...value, name: ownName(value.name), where: inside(value.where) };
    case 'comprehension':
      return { ...value, name: ownName(value.name), where: inside(value.where), value: inside(value.value) };
  }
};
