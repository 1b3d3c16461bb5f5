import { QueryFault } from '../../cypher/query-fault';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { shape } from '../../cypher/shape';
import { withFirstKeys } from '../../cypher/sort-keys';
import { make } from '../../cypher/template';
import { type Expression, type Query } from '../../cypher/tree';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeClauses, changeExpressions, expressionsIn, namesIn } from '../../cypher/walk';
import { allProperties } from '../../graph-schema';

/** Only the comparison of two values as operands of `=`, `<` and so on treats NaN separately. */
export const notANumber: Quirk = {
  id: 'falkordb-not-a-number',
  description: 'NaN equals every number in ORDER BY, IN, CASE x WHEN, lists, min, max and percentiles.',
  shown: {
    graph: 'CREATE (:N {id: 1})',
    query: 'UNWIND [2.0, 0.0 / 0.0, 1.0] AS x MATCH (n:N) RETURN x >= 1.5 ORDER BY x',
    right: [[false], [true], [false]],
    wrong: [[true], [false], [false]],
  },
  rewrite: (query, context) => {
    const mayBe = findNaN(query, context);
    if (mayBe === null) return query;
    for (const value of expressionsIn(query)) rejectLists(value, mayBe);
    const sorted = changeClauses(query, (clause) =>
      'orderBy' in clause ? withFirstKeys(clause, context.text, mayBe, groupOf) : clause,
    );
    return changeExpressions(sorted, (value, original) => written(value, original, mayBe, context.newName));
  },
};

/** Whether a value, or an item of a list, can be NaN. */
type MayBeNaN = (value: Expression) => boolean;

const rejectLists = (value: Expression, mayBe: MayBeNaN): void => {
  if (value.kind !== 'comparison') return;
  const list = [value.first, ...value.rest.map(({ right }) => right)].find(
    (each) => each.kind === 'list' && mayBe(each),
  );
  if (list !== undefined)
    throw new QueryFault('FalkorDB does not distinguish NaN within lists: compare the items.', list.start);
};

/** Null if no value of the query can be NaN. */
const findNaN = (query: Query, { schema }: QuirkContext): MayBeNaN | null => {
  const typeOf = valueTypes(query, schema);
  const stored = new Set(
    allProperties(schema).flatMap(({ name, holds }) => (holds?.includes('not finite') === true ? [name] : [])),
  );
  const isStored = [...namesIn(query)].some((name) => stored.has(name));
  if (!isStored && ![...expressionsIn(query)].some((value) => makesNaN(value, typeOf))) return null;
  const mayBe: MayBeNaN = (value) => {
    if (value.kind === 'list') return value.items.some(mayBe);
    const type = typeOf(value);
    const { kind } = type.kind === 'list' ? type.item : type;
    if (kind !== 'float' && kind !== 'unknown') return false;
    if (value.kind === 'number' || value.kind === 'parameter' || isGuarded(value)) return false;
    return value.kind !== 'property' || stored.has(value.name.text);
  };
  return mayBe;
};

/** `CASE WHEN x = x THEN x END`. */
const isGuarded = (value: Expression): boolean => {
  if (value.kind !== 'case' || value.subject !== null || value.otherwise !== null) return false;
  const [branch, ...others] = value.branches;
  return (
    others.length === 0 && branch !== undefined && shape(branch.when) === shape(make('_1 = _1', value, branch.then))
  );
};

const MAKES_NAN = /^(sqrt|log|log10|acos|asin|pow|stdevp?|percentilecont)$/i;

/** Whether an operation of finite values can be NaN or infinite; an overflow is not considered. */
const makesNaN = (value: Expression, typeOf: TypeOf): boolean => {
  if (value.kind === 'call') return MAKES_NAN.test(value.name);
  if (value.kind !== 'binary' || !/^[/%^]$/.test(value.operator) || typeOf(value).kind === 'integer') return false;
  return value.right.kind !== 'number' || Number(value.right.text) === 0;
};

const IS_NAN = "typeOf(_1) = 'Float' AND _1 <> _1";

/** NaN is after all numbers. */
const groupOf = (value: Expression): Expression =>
  make(`CASE WHEN _1 IS NULL THEN 2 WHEN ${IS_NAN} THEN 1 ELSE 0 END`, value, value);

/** NaN in a list equals nothing, and neither does NaN on the left. */
const withoutNaN = (item: string): string =>
  `[${item} IN _2 WHERE ${item} IS NULL OR NOT coalesce(_1 <> _1 OR ${item} <> ${item}, false)]`;

const OTHERS = `CASE WHEN ${IS_NAN} THEN NULL ELSE _1 END`;
const AGGREGATES: Readonly<Record<string, string>> = {
  MIN: `coalesce(min(${OTHERS}), head(collect(_1)))`,
  MAX: `CASE WHEN count(CASE WHEN ${IS_NAN} THEN 1 END) > 0 THEN 0.0 / 0.0 ELSE max(${OTHERS}) END`,
};

/** Within a list a comparison is neither inverted by NOT nor used to join two patterns, which find other rows for NaN. */
const written = (value: Expression, original: Expression, mayBe: MayBeNaN, newName: () => string): Expression => {
  if (value.kind === 'case' && original.kind === 'case') {
    const { subject, branches } = value;
    if (
      subject === null ||
      ![original.subject, ...original.branches.map(({ when }) => when)].some((of) => of !== null && mayBe(of))
    )
      return value;
    const tested = branches.map(({ when, then }) => ({ when: make('_1 = _2', when, subject, when), then }));
    return { ...value, subject: null, branches: tested };
  }
  if (value.kind === 'comparison' && original.kind === 'comparison') {
    const operands = [original.first, ...original.rest.map(({ right }) => right)];
    return operands.some(mayBe) ? make('[_1][0]', value, value) : value;
  }
  if (value.kind === 'binary' && original.kind === 'binary' && value.operator === 'IN')
    return [original.left, original.right].some(mayBe)
      ? make(`_1 IN ${withoutNaN(newName())}`, value, value.left, value.right)
      : value;
  if (value.kind !== 'call' || original.kind !== 'call' || !original.arguments.some(mayBe)) return value;
  const aggregate = AGGREGATES[value.name.toUpperCase()];
  if (aggregate !== undefined) return make(aggregate, value, ...value.arguments);
  if (!/^(percentile(cont|disc)|list\.sort)$/i.test(value.name)) return value;
  throw new QueryFault(
    `FalkorDB does not sort NaN: write CASE WHEN x = x THEN x END within ${value.name}.`,
    value.start,
  );
};
