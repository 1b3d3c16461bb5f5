import { type Cure, type CureContext } from '../../cypher/cure';
import { type TypeOf } from '../../cypher/expression-types';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { withFirstKeys } from '../../cypher/sort-keys';
import { make } from '../../cypher/template';
import { type Expression, type Query } from '../../cypher/tree';
import { itemType, type ValueType } from '../../cypher/value-type';
import { changeClauses, changeExpressions, expressionsIn, namesIn } from '../../cypher/walk';
import { allProperties } from '../../graph-schema';
import { comparedIn, withComparisons } from './compared-values';

/** NaN equals every number, except as an operand of `=`, `<` and so on. */
export const notANumber: Cure = (query, context) => {
  const found = findNaN(query, context);
  if (found === null) return query;
  const { mayBe, mayBeInList } = found;
  const rejectList = (value: Expression): void => {
    if (mayBeInList(value))
      throw new QueryFault('FalkorDB does not distinguish NaN within lists: compare the items.', value.start);
  };
  for (const value of expressionsIn(query)) {
    const list = value.kind === 'binary' ? value.right : null;
    comparedIn(value)
      .filter((operand) => operand !== list)
      .forEach(rejectList);
  }
  const sorted = changeClauses(query, (clause) => {
    if (!('orderBy' in clause)) return clause;
    for (const { value } of clause.orderBy) rejectList(value);
    return withFirstKeys(clause, context.text, mayBe, groupOf);
  });
  return changeExpressions(sorted, (value, original) => written(value, original, mayBe, context.newName));
};

/** Where NaN may occur. */
interface PossibleNaN {
  /** Whether a value, or an item of a list, can be NaN. */
  readonly mayBe: (value: Expression) => boolean;
  /** Whether a value can be a list with NaN. */
  readonly mayBeInList: (value: Expression) => boolean;
}

/** Null if no value of the query can be NaN. */
const findNaN = (query: Query, { schema }: CureContext): PossibleNaN | null => {
  const typeOf = valueTypes(query, schema);
  const storing = allProperties(schema).filter(({ holds }) => holds?.includes('not finite') === true);
  const stored = new Set(storing.map(({ name }) => name));
  const isStored = [...namesIn(query)].some((name) => stored.has(name));
  if (!isStored && !expressionsIn(query).some((value) => makesNaN(value, typeOf))) return null;
  const storesLists = storing.some(({ type }) => type.kind === 'list');
  const mayBe = (value: Expression): boolean => {
    if (value.kind === 'list') return value.items.some(mayBe);
    const { kind } = itemType(typeOf(value));
    if (kind !== 'float' && kind !== 'unknown') return false;
    if (value.kind === 'number' || value.kind === 'parameter') return false;
    return value.kind !== 'property' || typeOf(value.of).kind === 'map' || stored.has(value.name.text);
  };
  const isList = ({ kind }: ValueType): boolean => kind === 'list' || (kind === 'unknown' && storesLists);
  return { mayBe, mayBeInList: (value) => isList(typeOf(value)) && mayBe(value) };
};

const MAKES_NAN = /^(sqrt|log|log10|acos|asin|pow|stdevp?|percentilecont)$/i;

/** Whether an operation can be NaN although its operands are not. */
const makesNaN = (value: Expression, typeOf: TypeOf): boolean => {
  const mayBeInfinite = (operand: Expression): boolean =>
    !/^(number|parameter|property)$/.test(operand.kind) && /^(float|unknown)$/.test(typeOf(operand).kind);
  if (value.kind === 'call')
    return MAKES_NAN.test(value.name) || (/^(sum|avg)$/i.test(value.name) && value.arguments.some(mayBeInfinite));
  if (value.kind !== 'binary' || !/^(float|unknown)$/.test(typeOf(value).kind)) return false;
  if (/^[-+*]$/.test(value.operator)) return mayBeInfinite(value.left) || mayBeInfinite(value.right);
  const known = value.right.kind === 'number' ? Number(value.right.text) : null;
  return value.operator === '^' ? !Number.isInteger(known) : /^[/%]$/.test(value.operator) && (known ?? 0) === 0;
};

const IS_NAN = "typeOf(_1) = 'Float' AND _1 <> _1";

/** NaN is after all numbers. */
const groupOf = (value: Expression): Expression =>
  make(`CASE WHEN _1 IS NULL THEN 2 WHEN ${IS_NAN} THEN 1 ELSE 0 END`, value, value);

/** NaN in a list equals nothing, and neither does NaN on the left. */
const withoutNaN = (item: string): string =>
  `[${item} IN _2 WHERE _1 IS NULL OR ${item} IS NULL OR NOT coalesce(_1 <> _1 OR ${item} <> ${item}, false)]`;

const OTHERS = `CASE WHEN ${IS_NAN} THEN NULL ELSE _1 END`;
/** A text is an error in a percentile. */
const WITH_ERROR = `CASE WHEN ${IS_NAN} THEN 'NaN' ELSE _1 END`;
const AGGREGATES: Readonly<Record<string, string>> = {
  MIN: `coalesce(min(${OTHERS}), head(collect(_1)))`,
  MAX: `CASE WHEN count(CASE WHEN ${IS_NAN} THEN 1 END) > 0 THEN 0.0 / 0.0 ELSE max(${OTHERS}) END`,
};

/** Within a list a comparison is neither inverted by NOT nor used to join two patterns, which find other rows for NaN. */
const written = (
  value: Expression,
  original: Expression,
  mayBe: PossibleNaN['mayBe'],
  newName: () => string,
): Expression => {
  if (!comparedIn(original).some(mayBe)) return value;
  if (value.kind === 'comparison') return make('[_1][0]', value, value);
  if (value.kind === 'binary') return make(`_1 IN ${withoutNaN(newName())}`, value, value.left, value.right);
  if (value.kind === 'case') return withComparisons(value);
  if (value.kind !== 'call') return value;
  const aggregate = AGGREGATES[value.name.toUpperCase()];
  if (aggregate !== undefined) return make(aggregate, value, ...value.arguments);
  if (/^percentile/i.test(value.name)) return make(`${value.name}(${WITH_ERROR}, _2)`, value, ...value.arguments);
  throw new QueryFault('FalkorDB does not sort NaN: write [x IN list WHERE x = x].', value.start);
};
