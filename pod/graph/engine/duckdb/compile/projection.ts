import { aggregatesIn } from '../../cypher/aggregates';
import { titleOf } from '../../cypher/column-titles';
import { shape } from '../../cypher/shape';
import { type Expression, type ProjectionClause } from '../../cypher/tree';
import { hasVolatile } from '../../cypher/walk';
import { compileAggregate } from './aggregate';
import { isExact, orderOfMembers } from './any-value';
import { compileCondition } from './condition';
import { averageLength } from './duration-parts';
import {
  closed,
  type Closing,
  type Frame,
  hasSubquery,
  HIDDEN,
  type SortKey,
  type Variable,
  type Variables,
  withoutHidden,
} from './frame';
import { isSameInAllRows } from './literal';
import { isZoned, NO_ZONES, NULL, type Type } from './type';

/** A column of a WITH or RETURN. */
interface Column {
  readonly name: string;
  readonly expression: Expression;
  readonly value: Variable;
}

/** The rows after a WITH or RETURN, with its columns as variables. */
export const compileProjection = (clause: ProjectionClause, frame: Frame): Frame => {
  const { context } = frame;
  const items = clause.items.map((item) => ({ name: titleOf(item, context.text), expression: item.value }));
  const hasAggregates = items.some(({ expression }) => aggregatesIn(expression).length > 0);
  const grouped = hasAggregates ? groupedRows(clause, frame) : frame;
  let rows = grouped;
  let columns: readonly Column[] = items.map(({ name, expression }) => ({
    name,
    expression,
    value: variableOf(expression, grouped),
  }));
  const isVolatile = clause.items.some(hasVolatile);
  // Computed once; lambdas of the condition could not contain them.
  const hasSubqueries = clause.where !== null && columns.some(({ value }) => hasSubquery(value));
  if (clause.distinct || isVolatile || hasSubqueries) {
    columns.forEach(({ value, expression }) => clause.distinct && checkComparable(value.type, expression, frame));
    if (clause.distinct && clause.orderBy.length > 0) rows.order = [];
    const all = clause.distinct ? [] : rows.variables;
    const closing = clause.distinct ? { distinct: true } : isVolatile ? { rows: computedOnce } : {};
    rows = closed(rows, new Map([...all, ...variablesOf(columns)]), closing);
    columns = columns.map((column) => ({ ...column, value: rows.variables.get(column.name) ?? column.value }));
  }
  const isCombined = hasAggregates || clause.distinct;
  // ORDER BY and WHERE also use the names before the clause.
  rows.variables = isCombined ? variablesOf(columns) : new Map([...rows.variables, ...variablesOf(columns)]);
  if (isCombined)
    rows.columns = new Map([
      ...rows.columns,
      ...columns.map(({ expression, value }) => [shape(expression), value] as const),
    ]);
  if (clause.orderBy.length > 0)
    rows.order = [...clause.orderBy.flatMap((item) => sortKeys(item.value, item.descending, rows)), ...rows.order];
  const condition = clause.where === null ? null : compileCondition(clause.where, rows);
  const limit = limits(clause, rows);
  // The database would test a condition without columns before UNWIND.
  if (limit !== '' || (clause.where !== null && hasVolatile(clause.where))) {
    const name = `${HIDDEN}where`;
    const variables = variablesOf(columns);
    const all =
      condition === null ? variables : new Map([...variables, [name, { sql: condition, type: { kind: 'boolean' } }]]);
    // The database would move filters of later joins below the limit, depending on which thread is first (DuckDB 1.5.6).
    const isRead = limit !== '' && (clause.kind === 'with' || frame.parent !== null);
    const closing = isRead ? { rows: computedOnce } : {};
    rows = closed(rows, all, { ...closing, after: limit === '' ? '' : `${rows.orderBy}${limit}` });
    const kept = rows.variables.get(name);
    if (kept !== undefined) rows.filter(kept.sql);
    rows.variables = withoutHidden(rows.variables, 'where');
    return rows;
  }
  if (condition !== null) rows.filter(condition);
  rows.variables = variablesOf(columns);
  rows.columns = new Map();
  const isSimple = columns.every(({ value }) => value.isSimple === true);
  return clause.kind === 'return' || isSimple ? rows : closed(rows, rows.variables);
};

const variablesOf = (columns: readonly Column[]): Variables => new Map(columns.map(({ name, value }) => [name, value]));

const variableOf = (expression: Expression, frame: Frame): Variable => {
  const named = expression.kind === 'variable' ? frame.variable(expression.name) : null;
  const { owner = frame, elements, ...value }: Variable = named ?? frame.expression(expression);
  return owner === frame ? value : { ...value, owner };
};

/**
 * In a subquery with names from outside, an aggregate of no rows is a row only if its SELECT has a count: without it,
 * UNION, DISTINCT and ORDER BY around it lose the row (DuckDB 1.5.6).
 */
const ONE_ROW = ' HAVING count(*) >= 0';

/** One row per group, with the keys and the aggregates as columns. */
const groupedRows = ({ items }: ProjectionClause, before: Frame): Frame => {
  const frame = before.parent === null ? before : withOwnValues(items, before);
  const keys = byShape(items.map(({ value }) => value).filter((value) => aggregatesIn(value).length === 0));
  const aggregates = byShape(items.flatMap(({ value }) => aggregatesIn(value)));
  const groups = [...keys].map(([key, value]) => {
    const variable = variableOf(value, frame);
    checkComparable(variable.type, value, frame);
    return [key, variable] as const;
  });
  const computed = [...aggregates].map(([key, aggregate]) => [key, compileAggregate(aggregate, frame)] as const);
  const numbers = groups.map((_, at) => at + 1).join(', ');
  const after = groups.length > 0 ? ` GROUP BY ${numbers}` : frame.parent === null ? '' : ONE_ROW;
  const rows = withColumns(new Map([...groups, ...computed]), frame, { after, isGrouped: true });
  rows.variables = new Map(
    [...keys].flatMap(([key, value]) =>
      value.kind === 'variable' ? [[value.name, rows.columns.get(key) ?? NULL] as const] : [],
    ),
  );
  return rows;
};

/** Finishes a SELECT with values as its columns, which expressions of these shapes read. */
const withColumns = (values: Variables, frame: Frame, closing: Closing = {}): Frame => {
  const rows = closed(frame, values, closing);
  rows.columns = rows.variables;
  rows.variables = new Map();
  return rows;
};

const byShape = <E extends Expression>(values: readonly E[]): ReadonlyMap<string, E> =>
  new Map(values.map((value) => [shape(value), value]));

/**
 * Makes the keys and the arguments of aggregates columns, because an aggregate of values from outside only would belong
 * to the surrounding SELECT.
 */
const withOwnValues = (items: ProjectionClause['items'], frame: Frame): Frame => {
  const keys = items.flatMap(({ value }) => (aggregatesIn(value).length === 0 ? [value] : []));
  const operands = items.flatMap(({ value }) => aggregatesIn(value).flatMap((call) => call.arguments));
  const values = byShape([...keys, ...operands].filter(({ kind }) => kind !== 'star'));
  return withColumns(new Map([...values].map(([key, value]) => [key, variableOf(value, frame)])), frame);
};

/** DISTINCT and groups compare values as they are stored. */
const checkComparable = (type: Type, at: Expression, frame: Frame): void => {
  if (type.kind === 'list') return checkComparable(type.item, at, frame);
  if (isZoned(type)) frame.context.refuse(NO_ZONES, at);
  if (type.kind === 'any' && !isExact(type))
    frame.context.refuse('Values of several types cannot be grouped; choose one property.', at);
};

const SORTED = /^(null|boolean|integer|float|text|date|timestamp|uuid|node|relationship)$/;

/** Whether DuckDB's order is openCypher's; in both a list is before its continuations, and null after all values. */
const isSorted = (type: Type): boolean => (type.kind === 'list' ? isSorted(type.item) : SORTED.test(type.kind));

/** The keys of one item of ORDER BY; none for a value that is the same in all rows. */
const sortKeys = (expression: Expression, descending: boolean, frame: Frame): readonly SortKey[] => {
  const value = frame.expression(expression);
  const { sql, type } = value;
  if (isSameInAllRows(sql)) return [];
  if (isZoned(type)) frame.context.refuse(NO_ZONES, expression);
  if (isSorted(type)) return [{ sql, descending }];
  if (type.kind === 'duration') return [{ sql: averageLength(value, frame), descending }];
  const order = type.kind === 'any' ? orderOfMembers(value) : null;
  if (order === null)
    return frame.context.refuse('ORDER BY needs values without parts, or lists of values of one type.', expression);
  return order.map((key) => ({ sql: key, descending }));
};

const limits = ({ skip, limit }: ProjectionClause, { context }: Frame): string =>
  (limit === null ? '' : ` LIMIT ${context.count(limit, 'LIMIT')}`) +
  (skip === null ? '' : ` OFFSET ${context.count(skip, 'SKIP')}`);

/** Computes values that differ each time before later conditions use them. */
const computedOnce = (sql: string): string => `WITH once AS MATERIALIZED (${sql}) SELECT * FROM once`;
