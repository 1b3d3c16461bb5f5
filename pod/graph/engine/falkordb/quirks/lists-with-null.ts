import { type Cure } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { type Expression } from '../../cypher/tree';
import { itemType } from '../../cypher/value-type';
import { expressionsIn, operandsOf } from '../../cypher/walk';
import { comparedIn } from './compared-values';

/** Rejects the comparison of lists and maps with null: of two different ones it is null, and the order ignores null. */
export const nullInEqualLists: Cure = (query, { schema }) => {
  const typeOf = valueTypes(query, schema);
  const isCompared = (value: Expression): boolean => {
    if (comparedIn(value).some((operand) => itemType(typeOf(operand)).kind === 'map')) return true;
    const isOrdered =
      value.kind === 'comparison'
        ? value.rest.some(({ operator }) => operator !== '=' && operator !== '<>')
        : value.kind === 'call' && /^(min|max)$/i.test(value.name);
    if (value.kind !== 'comparison' && !isOrdered) return false;
    return operandsOf(value).some((operand) =>
      isOrdered ? typeOf(operand).kind === 'list' && !isKnown(operand) : isList(operand) && mayHaveNull(operand),
    );
  };
  const compared = expressionsIn(query).find(isCompared);
  if (compared === undefined) return query;
  throw new QueryFault(
    'Lists and maps with null are compared wrongly here: compare their elements or fields, one by one.',
    compared.start,
  );
};

/** Whether an expression is a constant without null. */
const isKnown = (value: Expression): boolean =>
  value.kind === 'number' ||
  (value.kind === 'list' && value.items.every(isKnown)) ||
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
