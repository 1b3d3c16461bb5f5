import { isAggregate } from '../../cypher/aggregates';
import { and, inPairs, literal } from '../../cypher/build';
import { type Cure, type CureContext } from '../../cypher/cure';
import { asciiUpper } from '../../cypher/cypher-tokens';
import { type TypeOf } from '../../cypher/expression-types';
import { QueryFault } from '../../cypher/query-fault';
import { constantText, withAsciiClasses } from '../../cypher/regular-expressions';
import { valueTypes } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import {
  type Binary,
  type Call,
  type Case,
  type Comparison,
  type Expression,
  type HasLabels,
  type Query,
  type Span,
} from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { changeExpressions, expressionsIn, localNames, operandsOf, withNewNames } from '../../cypher/walk';
import { addedText, comparedTexts, EXPRESSION_OF_ROW, FUNCTIONS, MATCHED, MATCHED_TEXT } from '../functions';
import { withComparisons } from './compared-values';
import { anyLabel } from './matched-parts';
import { withSingleLetters } from './single-letters';

/** All values are rewritten together, because they are nested and their types must be known. */
export const writtenFunctions: Cure = (original, context) => {
  const { schema, newName } = context;
  const query = withOwnLocalNames(original, newName);
  const typeOf = valueTypes(query, schema);
  return changeExpressions(query, (value, original) =>
    value.kind === 'binary' && original.kind === 'binary' && value.operator === '=~'
      ? matched(value, mayBeOther(original.left, typeOf), context)
      : writtenValue(value, original, typeOf),
  );
};

/** `value`: with its operands rewritten for the engine; `original`: before the change. */
const writtenValue = (value: Expression, original: Expression, typeOf: TypeOf): Expression => {
  if (value.kind === 'call' && original.kind === 'call') return writtenCall(value, original, typeOf);
  if (value.kind === 'binary' && original.kind === 'binary') return writtenBinary(value, original, typeOf);
  if (value.kind === 'has_labels' && original.kind === 'has_labels') return writtenLabels(value, typeOf(original.of));
  if (value.kind === 'comparison' && original.kind === 'comparison') return writtenComparison(value, original, typeOf);
  return value.kind === 'case' && original.kind === 'case' ? writtenCase(value, original, typeOf) : value;
};

const matched = (value: Binary, isOther: boolean, { parameters }: CureContext): Expression => {
  const text = constantText(value.right, parameters);
  const right =
    text === null
      ? make(EXPRESSION_OF_ROW, value.right, value.right)
      : literal(withAsciiClasses(withSingleLetters(text, value.right.start)), value.right);
  return make(isOther ? MATCHED_TEXT : MATCHED, value, value.left, right, value.right);
};

const writtenCall = (value: Call, original: Call, typeOf: TypeOf): Expression => {
  const written = FUNCTIONS.get(asciiUpper(value.name));
  if (written === undefined) return value;
  const text = typeof written === 'string' ? written : written(original.arguments.map(typeOf), original);
  const made = make(text, value, ...value.arguments);
  if (!value.distinct) return made;
  return changeExpressions(made, (inner) => (isAggregate(inner) ? { ...inner, distinct: true } : inner));
};

/** The types of two values of which the engine counts true as 1. */
const NO_SUM = /^(boolean (boolean|integer|float)|(integer|float) boolean)$/;

const PREDICATES = new Set<string>(['STARTS WITH', 'ENDS WITH', 'CONTAINS']);

const writtenBinary = (value: Binary, original: Binary, typeOf: TypeOf): Expression => {
  const { operator, left, right } = value;
  const types = [typeOf(original.left), typeOf(original.right)] as const;
  if (operator === '+') {
    const [first, second] = types.map(({ kind }) => kind);
    if (NO_SUM.test(`${first} ${second}`))
      throw new QueryFault(
        'A boolean cannot be added to this; write toInteger(…) or toString(…) around it.',
        value.start,
      );
    if (first !== 'text' && second !== 'text') return value;
    const [before, after] = first === 'text' ? [left, textOf(right, types[1])] : [textOf(left, types[0]), right];
    if (!types.every(({ kind }) => IN_TEXTS.test(kind))) return { ...value, left: before, right: after };
    const parts = [...(partsOf.get(left) ?? [before]), after];
    const sum = joined(parts, value);
    partsOf.set(sum, parts);
    return sum;
  }
  if (!PREDICATES.has(operator) || ![original.left, original.right].some((of) => mayBeOther(of, typeOf))) return value;
  return make(comparedTexts(operator), value, left, right);
};

/** Types of which each value has a text; another one may be a list. */
const IN_TEXTS = /^(text|integer|float|boolean|other)$/;

const textOf = (value: Expression, type: ValueType): Expression =>
  make(/^(integer|boolean)$/.test(type.kind) ? 'toString(_1)' : addedText([type]), value, value);

/** The parts of each sum of texts, which become those of a longer one: the engine reads nested brackets again and again. */
const partsOf = new WeakMap<Expression, readonly Expression[]>();

/**
 * A sum of texts; null if one of them is. With `+` the engine drops what is added to a text of 512 bytes, and writes behind
 * the end of its memory if the sum has 512 bytes.
 */
const joined = (parts: readonly Expression[], place: Span): Expression => {
  const names = parts.map((_, at) => `_${at + 1}`);
  const present = ['true', ...parts.flatMap(({ kind }, at) => (kind === 'literal' ? [] : [`_t[${at}] IS NOT NULL`]))];
  const text = `[_t IN [[${names.join()}]] WHERE ${present.join(' AND ')} | string.join(_t, '')][0]`;
  return make(text, place, ...parts);
};

/** The engine orders values that have no order in openCypher. */
const writtenComparison = (value: Comparison, original: Comparison, typeOf: TypeOf): Expression => {
  if (value.rest.length > 1) {
    const [pairs, originals] = [inPairs(value), inPairs(original)];
    return and(...pairs.map((pair, at) => writtenComparison(pair, originals[at] ?? pair, typeOf))) ?? value;
  }
  const [{ operator } = { operator: '=' }] = value.rest;
  const isOrdered = operator !== '=' && operator !== '<>';
  return isOrdered && operandsOf(original).some((operand) => UNORDERED.test(typeOf(operand).kind))
    ? literal(null, value)
    : value;
};

const UNORDERED = /^(node|relationship|path|map)$/;

/** Whether an operand may not be a text; the engine then fails, and openCypher returns null. */
const mayBeOther = (operand: Expression, typeOf: TypeOf): boolean => {
  const { kind } = typeOf(operand);
  return kind === 'unknown' ? operand.kind !== 'parameter' : kind !== 'text' && kind !== 'null' && kind !== 'other';
};

/** The labels of a node are tested one by one; for a relationship, its type is tested. */
const writtenLabels = (value: HasLabels, { kind }: ValueType): Expression => {
  const { of, labels } = value;
  if (kind !== 'relationship') return labels.of === 'any' ? anyLabel(of, labels) : value;
  const types = labels.names.map(({ text, ...place }) => literal(text, place));
  const operator = labels.of === 'any' ? ' OR ' : ' AND ';
  return make(types.map((_, index) => `type(_1) = _${index + 2}`).join(operator), value, of, ...types);
};

/** `CASE x WHEN y` becomes `CASE WHEN x = y` if y may be null. */
const writtenCase = (written: Case, original: Case, typeOf: TypeOf): Expression => {
  const value = withConditions(written, original, typeOf);
  const { subject, branches } = value;
  const mayFail = [...branches.map(({ then }) => then), value.otherwise].some(hasDivision);
  if (!mayFail && (subject === null || branches.every(({ when }) => isPresent(when)))) return value;
  return mayFail ? lazyCase(withComparisons(value)) : withComparisons(value);
};

/** The engine takes any value for true; AND fails for those that are not booleans. */
const withConditions = (value: Case, original: Case, typeOf: TypeOf): Case => {
  if (value.subject !== null) return value;
  const branches = value.branches.map(({ when, then }, at) => {
    const of = original.branches[at]?.when;
    return of !== undefined && typeOf(of).kind === 'boolean'
      ? { when, then }
      : { when: make('_1 AND true', when, when), then };
  });
  return { ...value, branches };
};

/**
 * The engine computes all branches, so a division by zero in one of them always fails; only items of lists are computed
 * on demand.
 */
const lazyCase = ({ branches, otherwise, ...place }: Case): Expression => {
  const operands = [...branches.flatMap(({ when, then }) => [when, then]), otherwise ?? literal(null, place)];
  const isFirst = (at: number): string =>
    ['true', ...branches.slice(0, at).map((_, index) => `NOT coalesce(_${2 * index + 1}, false)`)].join(' AND ');
  const items = branches.map((_, at) => `[_c IN [1] WHERE ${isFirst(at)} AND _${2 * at + 1} | _${2 * at + 2}]`);
  const last = `[_c IN [1] WHERE ${isFirst(branches.length)} | _${operands.length}]`;
  return make(`(${[...items, last].join(' + ')})[0]`, place, ...operands);
};

const hasDivision = (value: Expression | null): boolean =>
  expressionsIn(value ?? {}).some(
    (inner) =>
      inner.kind === 'binary' &&
      /^[/%]$/.test(inner.operator) &&
      !(inner.right.kind === 'number' && Number(inner.right.text) !== 0),
  );

const isPresent = (value: Expression): boolean =>
  value.kind === 'number' || (value.kind === 'literal' && value.value !== null);

/**
 * Makes the names for the items of lists unique. Otherwise the engine overwrites values of rows; depending on its
 * memory this crashes the server, for example with `UNWIND [1] AS x WITH x, 5 AS z RETURN [y IN [4, reduce(s = 0, x IN
 * [9] | s + x)] WHERE y > x | y] AS l, x, z`.
 */
const withOwnLocalNames = (query: Query, newName: () => string): Query => {
  const locals = expressionsIn(query).flatMap((value) => ('list' in value ? localNames(value) : []));
  const repeated = new Set(locals.filter((text, at) => locals.indexOf(text) !== at));
  if (repeated.size === 0) return query;
  return changeExpressions(query, (value) =>
    'list' in value && localNames(value).some((text) => repeated.has(text)) ? withNewNames(value, newName) : value,
  );
};
