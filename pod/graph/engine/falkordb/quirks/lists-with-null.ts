import { type Cure } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { type Expression } from '../../cypher/tree';
import { itemType, type ValueType } from '../../cypher/value-type';
import { clausesIn, expressionsIn, operandsOf } from '../../cypher/walk';
import { comparedIn } from './compared-values';

/**
 * Rejects the comparison of lists and maps with null: of two different ones it is null, and the order ignores null, as
 * does that of the maps in a list.
 */
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
  const all = expressionsIn(query);
  const hasMaps = (value: Expression): boolean =>
    value.kind === 'list' ? value.items.some((item) => typeOf(item).kind === 'map') : isListOf(/^map$/, typeOf(value));
  const sorted = all.some(hasMaps)
    ? clausesIn(query).flatMap((clause) => ('orderBy' in clause ? clause.orderBy.map(({ value }) => value) : []))
    : [];
  const compared = all.find(isCompared) ?? sorted.find((value) => isListOf(/^(map|unknown)$/, typeOf(value)));
  if (compared === undefined) return query;
  throw new QueryFault(
    'Lists and maps with null are compared wrongly here: compare their elements or fields, one by one.',
    compared.start,
  );
};

/** Whether a value, or a field of it, may be a list with items of these types. */
const isListOf = (types: RegExp, type: ValueType): boolean =>
  type.kind === 'map'
    ? [...(type.fields?.values() ?? [])].some((field) => isListOf(types, field))
    : type.kind === 'list' && types.test(itemType(type).kind);

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
