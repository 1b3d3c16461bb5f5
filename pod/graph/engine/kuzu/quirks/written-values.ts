import { make } from '../../cypher/template';
import { writtenCall } from '../../cypher/written-call';
import { isAggregate } from '../../cypher/aggregates';
import { cast, inPairs, literal } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { type Call, type Binary, type Comparison, type Expression, type PropertyAccess } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions, expressionsIn, withNewNames } from '../../cypher/walk';
import { FUNCTIONS, textOfType } from '../functions';
import { TIME_PARTS } from '../times';
import { refusedReduction, writtenComprehension, writtenElement, writtenSlice } from './written-lists';

export const writtenFunctions: Quirk = {
  id: 'kuzu-functions',
  description: 'Some functions of openCypher are missing or differ: substring counts from 1, and log has base 10.',
  shown: {
    query: "RETURN substring('hello', 1, 2), log(1.0), substring('hello', 0, 1)",
    right: [['el', 0, 'h']],
    wrong: [['he', 0, '']],
  },
  rewrite: (query, context) => {
    const { schema, newName } = context;
    for (const value of expressionsIn(query)) checkPercentile(value, context);
    const typeOf = valueTypes(query, schema);
    return changeExpressions(query, (value, original) => writtenValue(value, original, typeOf, newName));
  },
};

const checkPercentile = (value: Expression, context: QuirkContext): void => {
  if (value.kind !== 'call' || !/^percentile(cont|disc)$/i.test(value.name)) return;
  const [, share = value] = value.arguments;
  const sign = share.kind === 'unary' ? -1 : 1;
  const literal = share.kind === 'unary' ? share.of : share;
  const known =
    literal.kind === 'parameter' ? context.parameters[literal.name] : literal.kind === 'number' ? literal.text : '0';
  const isShare = sign * Number(known) >= 0 && Number(known) <= 1;
  if (!isShare) throw new QueryFault(`${value.name} needs a number from 0 to 1.`, share.start);
};

/** Cured together with the functions, because they are nested and their types must be known. */
export const writtenLists: Quirk = {
  id: 'kuzu-lists',
  description: 'List indexes start at 1, and functions replace list comprehensions and reduce.',
  shown: { query: "RETURN 'ab'[0]", right: [['a']], wrong: [['']] },
};

/** `value`: with its operands rewritten for the engine; `original`: before the change. */
const writtenValue = (value: Expression, original: Expression, typeOf: TypeOf, newName: () => string): Expression => {
  if (value.kind === 'call' && original.kind === 'call') return writtenFunction(value, original, typeOf);
  if (value.kind === 'comparison' && value.rest.length > 1) return inPairs(value);
  if (value.kind === 'comparison' && original.kind === 'comparison') return ofOneType(value, original, typeOf);
  if (value.kind === 'index' && original.kind === 'index') return writtenElement(value, typeOf(original.of));
  if (value.kind === 'property' && original.kind === 'property') return writtenProperty(value, original, typeOf);
  if (value.kind === 'binary' && value.operator === '+' && original.kind === 'binary')
    return writtenSum(value, original, typeOf);
  if (value.kind === 'quantifier') return withNewNames(value, newName);
  if (value.kind === 'slice') return writtenSlice(value);
  if (value.kind === 'comprehension') return writtenComprehension(value, newName);
  return value.kind === 'reduction' ? refusedReduction(value) : value;
};

/** Parts of times are read by functions. */
const writtenProperty = (value: PropertyAccess, original: PropertyAccess, typeOf: TypeOf): Expression => {
  const { of, name } = value;
  if (typeOf(original.of).kind !== 'other') return value;
  const part = TIME_PARTS.get(name.text);
  if (part !== undefined) return make(part, value, of);
  throw new QueryFault(`Dates and times have ${[...TIME_PARTS.keys()].join(', ')} here.`, name.start);
};

/** A number added to a text becomes a text, and an element added to a list becomes a list. */
const writtenSum = (value: Binary, original: Binary, typeOf: TypeOf): Expression => {
  const [left, right] = [typeOf(original.left), typeOf(original.right)];
  if (left.kind === 'list' && right.kind !== 'list' && right.kind !== 'unknown')
    return make('list_append(_1, _2)', value, value.left, value.right);
  if (right.kind === 'list' && left.kind !== 'list' && left.kind !== 'unknown')
    return make('list_prepend(_2, _1)', value, value.left, value.right);
  const asText = (part: Expression, type: ValueType): Expression =>
    type.kind === 'integer' || type.kind === 'float' ? make(textOfType(type), part, part) : part;
  if (left.kind === 'text') return { ...value, right: asText(value.right, right) };
  return right.kind === 'text' ? { ...value, left: asText(value.left, left) } : value;
};

const writtenFunction = (value: Call, original: Call, typeOf: TypeOf): Expression => {
  const [first, ...others] = value.arguments;
  if (first?.kind === 'literal' && first.value === null && isAggregate(value)) {
    return { ...value, arguments: [cast(first, 'INT64'), ...others] };
  }
  return writtenCall(value, original, typeOf, FUNCTIONS);
};

/** The engine would convert a text that is compared with a number. */
const ofOneType = (value: Comparison, { first, rest }: Comparison, typeOf: TypeOf): Comparison | Expression => {
  const kinds = [first, ...rest.map(({ right }) => right)].map((side) => typeOf(side).kind);
  if (!kinds.includes('text') || !kinds.some((kind) => kind === 'integer' || kind === 'float')) return value;
  // A text in the original query may represent a number, whether as a literal or as a parameter.
  if ([first, ...rest.map(({ right }) => right)].some(({ kind }) => kind === 'literal' || kind === 'number'))
    return value;
  const operator = value.rest[0]?.operator;
  const [left, right = left] = [value.first, value.rest[0]?.right];
  if (operator !== '=' && operator !== '<>') return literal(null, value);
  return make(`CASE WHEN _1 IS NOT NULL AND _2 IS NOT NULL THEN ${operator === '<>'} END`, value, left, right);
};
