import { and, inPairs } from '../../cypher/build';
import { type Cure, type CureContext } from '../../cypher/cure';
import { type TypeOf } from '../../cypher/expression-types';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { withFirstKeys } from '../../cypher/sort-keys';
import { make } from '../../cypher/template';
import { type Expression, type Query } from '../../cypher/tree';
import { INTEGER_LIMIT, itemType, mayBeInteger, mostOf, mostOfResult, type ValueType } from '../../cypher/value-type';
import { changeClauses, changeExpressions, expressionsIn, namesIn, operandsOf } from '../../cypher/walk';
import { allProperties } from '../../graph-schema';
import { comparedIn } from './compared-values';

/**
 * A comparison subtracts integers, and the difference can overflow; that of integers that are equal as floats has 64
 * bits. An integer from 2^53 on equals a float that it is only close to, so the pod compares them.
 */
export const greatIntegers: Cure = (query, context) => {
  const typeOf = valueTypes(query, context.schema);
  const isGreat = hasGreat(query, greatNames(context), typeOf, context);
  for (const value of isGreat ? expressionsIn(query) : []) {
    rejectFloats(value, typeOf);
    rejectUnknown(value, typeOf);
  }
  const isFar: IsFar = (left, right = left) => {
    const types = [typeOf(left), typeOf(right)] as const;
    return types.every(({ kind }) => kind === 'integer') && mostOfResult('-', ...types) >= INTEGER_LIMIT;
  };
  const sorted = changeClauses(query, (clause) => {
    if (!('orderBy' in clause)) return clause;
    if (isGreat)
      rejectAny(
        clause.orderBy.map(({ value }) => value),
        typeOf,
      );
    return withFirstKeys(
      clause,
      context.text,
      (value) => isFar(value),
      (value) => make('1.0 * _1', value, value),
    );
  });
  const inTwos = changeExpressions(sorted, (value) =>
    value.kind === 'comparison' ? (and(...inPairs(value)) ?? value) : value,
  );
  return changeExpressions(inTwos, (value, original) => written(value, original, isFar));
};

/** Whether the difference of two integers, or of those of one expression in two rows, may be beyond 64 bits. */
type IsFar = (left: Expression, right?: Expression) => boolean;

/** Floats represent smaller integers exactly. */
const GREAT = 2 ** 53;

/** The names of properties with great integers. */
const greatNames = ({ schema }: CureContext): ReadonlySet<string> =>
  new Set(
    allProperties(schema).flatMap(({ name, holds }) => (holds?.includes('great integer') === true ? [name] : [])),
  );

/** Rejects a comparison of an integer that may be great with a float. */
const rejectFloats = (value: Expression, typeOf: TypeOf): void => {
  const operands = comparedIn(value);
  const kindOf = (operand: Expression): ValueType['kind'] => itemType(typeOf(operand)).kind;
  const isGreat = (operand: Expression): boolean =>
    kindOf(operand) === 'integer' && mostOf(itemType(typeOf(operand))) > GREAT;
  if (!operands.some(isGreat)) return;
  const float = operands.find((operand) => kindOf(operand) === 'float' && !isExact(operand));
  if (float !== undefined)
    throw new QueryFault('FalkorDB rounds an integer beside a float: compare with toInteger(x).', float.start);
};

/** Rejects the comparison of a value that may be a great integer. */
const rejectUnknown = (value: Expression, typeOf: TypeOf): void => {
  const isComputed =
    (value.kind === 'call' && /^(min|max)$/i.test(value.name)) ||
    (value.kind === 'comparison' && value.rest.some(({ operator }) => operator !== '=' && operator !== '<>'));
  if (isComputed) rejectAny(operandsOf(value), typeOf);
};

const rejectAny = (values: readonly Expression[], typeOf: TypeOf): void => {
  const value = values.find((each) => mayBeInteger(typeOf(each)));
  if (value !== undefined)
    throw new QueryFault(
      'FalkorDB compares integers from 2^53 on only if their type is known: write toInteger(…) around this.',
      value.start,
    );
};

/** Every integer has the right order with a small float. */
const isExact = (value: Expression): boolean => value.kind === 'number' && Math.abs(Number(value.text)) < GREAT;

const hasGreat = (query: Query, great: ReadonlySet<string>, typeOf: TypeOf, context: CureContext): boolean =>
  [...(great.size === 0 ? [] : namesIn(query))].some((text) => great.has(text)) ||
  expressionsIn(query).some(
    (value) =>
      (value.kind === 'number' && Number(value.text) >= GREAT) ||
      (value.kind === 'parameter' && mayHoldGreat(typeOf(value)) && holdsGreat(context.parameters[value.name])),
  );

/** Whether the values of a parameter have to be read, because their type does not show their size. */
const mayHoldGreat = (type: ValueType): boolean => {
  if (type.kind === 'map') return [...(type.fields?.values() ?? [])].some(mayHoldGreat);
  const item = itemType(type);
  return item === type ? mayBeInteger(type) || (type.kind === 'integer' && mostOf(type) > GREAT) : mayHoldGreat(item);
};

const holdsGreat = (value: unknown): boolean => {
  if (typeof value === 'bigint') return Math.abs(Number(value)) >= GREAT;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsGreat);
};

const written = (value: Expression, original: Expression, isFar: IsFar): Expression => {
  if (value.kind === 'call' && original.kind === 'call') {
    const [of] = original.arguments;
    const preferred = /^max$/i.test(value.name) ? '>=' : /^min$/i.test(value.name) ? '<' : null;
    if (preferred === null || of === undefined || !isFar(of)) return value;
    const { name } = value;
    return make(`coalesce(${name}(CASE WHEN _1 ${preferred} 0 THEN _1 END), ${name}(_1))`, value, ...value.arguments);
  }
  if (value.kind !== 'comparison' || original.kind !== 'comparison') return value;
  const [next] = value.rest;
  const [, operator, orEqual = ''] = /^([<>])(=?)$/.exec(next?.operator ?? '') ?? [];
  if (next === undefined || operator === undefined) return value;
  const [left, right] = operandsOf(original);
  if (left === undefined || !isFar(left, right)) return value;
  const test = `1.0 * _1 ${operator} 1.0 * _2 OR 1.0 * _1 = 1.0 * _2 AND _1 ${operator}${orEqual} _2`;
  return make(test, value, value.first, next.right);
};
