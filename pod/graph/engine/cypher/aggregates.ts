import { words } from './gate';
import { type Call, type Expression, type ProjectionClause } from './tree';
import { operandsOf } from './walk';

/** Functions that combine many rows into one value, in upper case, in both engines. */
export const AGGREGATES = words('COUNT SUM AVG COLLECT STDEV STDEVP PERCENTILECONT PERCENTILEDISC MIN MAX');

export const isAggregate = (expression: Expression): expression is Call =>
  expression.kind === 'call' && AGGREGATES.has(expression.name.toUpperCase());

/** The aggregates of an expression, except those in subqueries. */
export const aggregatesIn = (expression: Expression): readonly Call[] =>
  isAggregate(expression) ? [expression] : operandsOf(expression).flatMap(aggregatesIn);

/** Whether a WITH or RETURN combines several rows into one. */
export const combinesRows = ({ distinct, items }: Pick<ProjectionClause, 'distinct' | 'items'>): boolean =>
  distinct || items.some(({ value }) => aggregatesIn(value).length > 0);

/** The names to which a WITH or RETURN gives values that they do not have before it. */
export const newNamesOf = ({ items }: Pick<ProjectionClause, 'items'>): readonly string[] =>
  items.flatMap(({ value, alias }) =>
    alias === null || (value.kind === 'variable' && value.name === alias.text) ? [] : [alias.text],
  );
