import { literal } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { asciiUpper } from '../../cypher/cypher-tokens';
import { type TypeOf } from '../../cypher/expression-types';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import { type Binary, type Call, type Comparison, type Expression } from '../../cypher/tree';
import { itemType, propertyType, SEVERAL_TEXTS, storedTime, type ValueType } from '../../cypher/value-type';
import { changeExpressions, clausesIn, isProjection, operandsOf } from '../../cypher/walk';
import { type GraphSchema, propertiesByTable } from '../../graph-schema';
import { TIMESTAMP_TEXT } from '../functions';
import { rejectNested } from './nested-values';
import { SEVERAL } from './shared-forms';

/**
 * A value that is kept as text is not a text: what the engine computes from texts only is rejected for it, as by
 * `graphdb_a`.
 */
export const keptTexts: Cure = (query, context) => {
  rejectNested(query, context.schema);
  const typeOf = valueTypes(query, context.schema);
  for (const clause of clausesIn(query).filter(isProjection))
    for (const { value } of clause.orderBy) rejectBytes(value, typeOf, 'ORDER BY');
  return changeExpressions(query, (value, original) => {
    if (value.kind === 'call' && original.kind === 'call') return ofCall(value, original, typeOf, context.schema);
    if (value.kind === 'comparison' && original.kind === 'comparison') return ofComparison(value, original, typeOf);
    if (value.kind === 'binary' && original.kind === 'binary') return ofBinary(value, original, typeOf);
    if (original.kind === 'unary' || original.kind === 'index' || original.kind === 'slice')
      rejectKept([original.of], typeOf, OPERATIONS[original.kind]);
    return value;
  });
};

const OPERATIONS = { unary: 'A sign or NOT', index: 'An index', slice: 'A slice' };

/** Functions that take values of any type. */
const OF_ANY = /^(COUNT|COLLECT|MIN|MAX|COALESCE|NULLIF|EXISTS|DATE)$/;

const ofCall = (value: Call, original: Call, typeOf: TypeOf, schema: GraphSchema): Expression => {
  const name = asciiUpper(original.name);
  const [argument] = original.arguments;
  if (argument !== undefined && /^(MIN|MAX)$/.test(name)) rejectBytes(argument, typeOf, original.name);
  if (OF_ANY.test(name)) return value;
  if (argument !== undefined && /^TOSTRING(ORNULL)?$/.test(name) && hasText(typeOf(argument)))
    return storedTime(typeOf(argument)) === 'TIMESTAMP' ? make(TIMESTAMP_TEXT, value, ...value.arguments) : value;
  if (argument !== undefined && /^TOSTRING(ORNULL)?$/.test(name) && isOwnText(argument, typeOf, schema)) return value;
  rejectKept(original.arguments, typeOf, original.name);
  return value;
};

/** Whether the stored text of a property is its text in all labels: a TIMESTAMP has another one. */
const isOwnText = (value: Expression, typeOf: TypeOf, schema: GraphSchema): boolean => {
  if (value.kind !== 'property') return false;
  const of = typeOf(value.of);
  if (of.kind !== 'node' && of.kind !== 'relationship') return false;
  return [...propertiesByTable(schema, of.kind)]
    .filter(([table]) => of.tables.includes(table))
    .flatMap(([, properties]) => properties.filter(({ name }) => name === value.name.text).map(propertyType))
    .every((type) => type.kind === 'text' || (type.kind === 'other' && /^(DATE|UUID)$/.test(type.name)));
};

const ofBinary = (value: Binary, original: Binary, typeOf: TypeOf): Expression => {
  const { operator } = original;
  const operands = [original.left, original.right];
  const kept = operands.filter((operand) => isKept(operand, typeOf));
  if (kept.length === 0 || /^(AND|OR|XOR|IN)$/.test(operator)) return value;
  const others = operands.filter((operand) => !kept.includes(operand));
  const is = (...kinds: readonly ValueType['kind'][]): boolean =>
    others.some((operand) => kinds.includes(typeOf(operand).kind));
  if (/[A-Z=]/.test(operator) && kept.every((operand) => typeOf(operand) !== SEVERAL_TEXTS))
    return literal(null, value);
  // The cure of times writes the durations among the constants.
  if (others.some(({ kind }) => kind === 'parameter') && is('other')) return value;
  if (operator === '+' && is('list', 'null')) return value;
  if (operator === '+' && is('text') && kept.every((operand) => hasText(typeOf(operand)))) {
    const [left, right] = [original.left, original.right].map(typeOf);
    return { ...value, left: asText(value.left, left), right: asText(value.right, right) };
  }
  rejectKept(kept, typeOf, operator);
  return value;
};

const ofComparison = (value: Comparison, original: Comparison, typeOf: TypeOf): Expression => {
  const ordered = original.rest.find(({ operator }) => operator !== '=' && operator !== '<>');
  if (ordered !== undefined) for (const operand of operandsOf(original)) rejectBytes(operand, typeOf, ordered.operator);
  return value;
};

const asText = (value: Expression, type: ValueType | undefined): Expression =>
  type !== undefined && storedTime(type) === 'TIMESTAMP' ? make(TIMESTAMP_TEXT, value, value) : value;

/** A constant is not a stored value. */
const isKept = (value: Expression, typeOf: TypeOf): boolean =>
  value.kind !== 'parameter' && (typeOf(value).kind === 'other' || typeOf(value) === SEVERAL_TEXTS);

/** Whether `graphdb_a` has a text for such a value, too. */
const hasText = (type: ValueType): boolean => type.kind === 'other' && /^(DATE|TIMESTAMP|UUID)$/.test(type.name);

const rejectKept = (values: readonly Expression[], typeOf: TypeOf, what: string): void => {
  const value = values.find((each) => isKept(each, typeOf));
  if (value !== undefined) rejectOne(value, typeOf(value), what);
};

/** The texts of bytes have another order. */
const rejectBytes = (value: Expression, typeOf: TypeOf, what: string): void => {
  const type = itemType(typeOf(value));
  if (type.kind === 'other' && type.name === 'BLOB') rejectOne(value, type, what);
};

const rejectOne = ({ start }: Expression, type: ValueType, what: string): never => {
  if (type.kind !== 'other') throw new QueryFault(SEVERAL, start);
  const next = hasText(type) ? 'write toString(…) around it' : 'return it as it is';
  throw new QueryFault(`${what} is not possible for a ${type.name}; ${next}.`, start);
};
