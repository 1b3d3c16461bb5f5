import { and, literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { template } from '../../cypher/template';
import { type Binary, type Comparison, type Expression, type ListLiteral } from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';

/** Also for what may be null: the engine compares with what was in the place of the null before. */
export const nullInLists: Quirk = {
  id: 'kuzu-null-in-lists',
  description: 'x IN a list with null is false where it is null, or even true.',
  shown: { query: 'RETURN 3 IN [1, null]', right: [[null]], wrong: [[false]] },
  rewrite: (query) =>
    changeExpressions(query, (value) => (value.kind === 'binary' && value.operator === 'IN' ? oneOf(value) : value)),
};

const isKnown = (value: Expression): boolean =>
  value.kind === 'number' ||
  (value.kind === 'unary' && isKnown(value.of)) ||
  (value.kind === 'literal' && value.value !== null);

const OR = template('before OR x = element');
const EQUAL = template('x = element');

const oneOf = (value: Binary): Expression => {
  const { left: x, right: list } = value;
  if (list.kind === 'literal' && list.value === null) return list;
  if (list.kind !== 'list') return value;
  if (list.items.length === 0) return literal(false, value);
  const constants = list.items.filter(isKnown);
  const found = constants.length > 0 ? { ...value, right: { ...list, items: constants } } : null;
  return (
    list.items
      .filter((item) => !isKnown(item))
      .reduce<Expression | null>(
        (before, element) => (before === null ? EQUAL({ x, element }, value) : OR({ before, x, element }, value)),
        found,
      ) ?? value
  );
};

export const nullInEqualLists: Quirk = {
  id: 'kuzu-null-in-equal-lists',
  description: 'Lists with null in the same place are equal.',
  shown: { query: 'RETURN [1, null] = [1, null]', right: [[null]], wrong: [[true]] },
  rewrite: (query) => changeExpressions(query, (value) => (value.kind === 'comparison' ? eachElement(value) : value)),
};

const NOT = template('NOT equal');

const eachElement = (value: Comparison): Expression => {
  const { first, rest } = value;
  const [link, more] = rest;
  if (link === undefined || more !== undefined || first.kind !== 'list' || link.right.kind !== 'list') return value;
  if (link.operator !== '=' && link.operator !== '<>') return value;
  const equal = equalElements(first, link.right);
  return link.operator === '=' ? equal : NOT({ equal }, value);
};

const equalElements = (a: ListLiteral, b: ListLiteral): Expression => {
  const isEqual = (x: Expression, element: Expression | undefined): Expression =>
    x.kind === 'list' && element?.kind === 'list' ? equalElements(x, element) : EQUAL({ x, element: element ?? x }, x);
  return a.items.length === b.items.length
    ? (and(...a.items.map((item, index) => isEqual(item, b.items[index]))) ?? literal(true, a))
    : literal(false, a);
};
