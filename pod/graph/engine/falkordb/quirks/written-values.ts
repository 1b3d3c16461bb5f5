import { isAggregate } from '../../cypher/aggregates';
import { inPairs, literal } from '../../cypher/build';
import { asciiUpper } from '../../cypher/cypher-tokens';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Binary, type Call, type Case, type Expression, type HasLabels, type Query } from '../../cypher/tree';
import { storedTime, type ValueType } from '../../cypher/value-type';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions, expressionsIn, localNames, withNewNames } from '../../cypher/walk';
import { addedText, comparedTexts, FUNCTIONS, MATCHED } from '../functions';
import { withComparisons } from './compared-values';
import { anyLabel } from './matched-parts';

/** All values are rewritten together, because they are nested and their types must be known. */
export const writtenFunctions: Quirk = {
  id: 'falkordb-functions',
  description: 'toString writes six decimals, toFloat reads single precision, and toInteger rounds down.',
  rewrite: (original, { schema, newName }) => {
    const query = withOwnLocalNames(original, newName);
    const typeOf = valueTypes(query, schema);
    return changeExpressions(query, (value, original) => writtenValue(value, original, typeOf));
  },
};

export const exactSums: Quirk = {
  id: 'falkordb-sums-of-integers',
  description: 'sum adds integers as doubles.',
};

export const partsOfTexts: Quirk = {
  id: 'falkordb-parts-of-texts',
  description: 'substring and left count the bytes of a string, and read beyond its end.',
};

export const writtenOperators: Quirk = {
  id: 'falkordb-operators',
  description:
    "CASE null matches WHEN null, CASE evaluates all branches, 1 = 1 = 1 compares a boolean with 1, 'a' + 1.5 has six decimals.",
};

export const regularExpressions: Quirk = {
  id: 'falkordb-regular-expressions',
  description: '=~ is a syntax error.',
};

/** `value`: with its operands rewritten for the engine; `original`: before the change. */
const writtenValue = (value: Expression, original: Expression, typeOf: TypeOf): Expression => {
  if (value.kind === 'call' && original.kind === 'call') return writtenCall(value, original, typeOf);
  if (value.kind === 'binary' && original.kind === 'binary') return writtenBinary(value, original, typeOf);
  if (value.kind === 'has_labels' && original.kind === 'has_labels') return writtenLabels(value, typeOf(original.of));
  if (value.kind === 'comparison' && value.rest.length > 1) return inPairs(value);
  return value.kind === 'case' ? writtenCase(value) : value;
};

const writtenCall = (value: Call, original: Call, typeOf: TypeOf): Expression => {
  const written = FUNCTIONS.get(asciiUpper(value.name));
  if (written === undefined) return value;
  const text = typeof written === 'string' ? written : written(original.arguments.map(typeOf), original);
  const made = make(text, value, ...value.arguments);
  if (!value.distinct) return made;
  return changeExpressions(made, (inner) => (isAggregate(inner) ? { ...inner, distinct: true } : inner));
};

const PREDICATES = new Set<string>(['STARTS WITH', 'ENDS WITH', 'CONTAINS']);

const writtenBinary = (value: Binary, original: Binary, typeOf: TypeOf): Expression => {
  const { operator, left, right } = value;
  const isPredicate = operator === '=~' || PREDICATES.has(operator);
  // A date or time is stored as text, but is not one.
  if (isPredicate && storedTime(typeOf(original.left)) !== null) return literal(null, value);
  if (operator === '=~') return make(MATCHED, value, left, right);
  const types = [typeOf(original.left), typeOf(original.right)] as const;
  if (operator === '+') {
    const [first, second] = types.map(({ kind }) => kind);
    if (first === 'text') return { ...value, right: make(addedText([types[1]]), right, right) };
    return second === 'text' ? { ...value, left: make(addedText([types[0]]), left, left) } : value;
  }
  if (!PREDICATES.has(operator) || ![original.left, original.right].some((of) => mayBeOther(of, typeOf))) return value;
  return make(comparedTexts(operator), value, left, right);
};

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
const writtenCase = (value: Case): Expression => {
  const { subject, branches } = value;
  const mayFail = [...branches.map(({ then }) => then), value.otherwise].some(hasDivision);
  if (!mayFail && (subject === null || branches.every(({ when }) => isPresent(when)))) return value;
  return mayFail ? lazyCase(withComparisons(value)) : withComparisons(value);
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
