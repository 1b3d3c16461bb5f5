import { QueryFault } from './query-fault';
import { type Expression, type Query } from './tree';
import { expressionsIn, operandsOf } from './walk';

/** Whether an expression is a constant other than null. */
const isKnown = (value: Expression): boolean =>
  value.kind === 'number' ||
  (value.kind === 'unary' && isKnown(value.of)) ||
  (value.kind === 'literal' && value.value !== null);

/** Whether an expression contains a list literal that may contain null. */
const mayHaveNull = (value: Expression): boolean =>
  expressionsIn(value).some((inner) => inner.kind === 'list' && !inner.items.every(isKnown));

const isList = (value: Expression): boolean => {
  if (value.kind === 'binary') return value.operator === '+' && (isList(value.left) || isList(value.right));
  if (value.kind === 'call') return /^(reverse|tail|coalesce)$/i.test(value.name) && value.arguments.some(isList);
  return /^(list|slice|comprehension)$/.test(value.kind);
};

/** Throws a `QueryFault` if a list that may contain nulls is compared. */
export const refuseListsWithNull = (query: Query): Query => {
  const found = expressionsIn(query).find(
    (value) =>
      value.kind === 'comparison' && operandsOf(value).some((operand) => isList(operand) && mayHaveNull(operand)),
  );
  if (found === undefined) return query;
  throw new QueryFault('Lists with null are compared wrongly here: compare their elements, one by one.', found.start);
};
