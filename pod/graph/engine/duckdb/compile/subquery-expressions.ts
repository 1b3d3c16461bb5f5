import { type Expression, type PatternComprehension, type SubqueryExpression } from '../../cypher/tree';
import { hasVolatile } from '../../cypher/walk';
import { type Frame, HIDDEN, listOfRows } from './frame';
import { BOOLEAN, INTEGER, listOf, NULL, typed, type Value } from './type';

/** As a value it is a count, because DuckDB 1.5 compares nulls from outside wrongly in an EXISTS that is a column. */
const existence = (rows: Frame): Value => {
  const exists = `EXISTS (SELECT 1${rows.source})`;
  return { sql: `((SELECT count(*)${rows.source}) > 0)`, type: BOOLEAN, exists };
};

export const pattern = (value: Extract<Expression, { kind: 'pattern' }>, frame: Frame): Value => {
  const { path } = value;
  if (path.shortest !== null) {
    const name = path.name ?? { text: `${HIDDEN}path`, start: path.start, end: path.end };
    const matched = frame.compilers.match([{ ...path, name }], null, frame.subquery());
    const found = matched.variable(name.text) ?? NULL;
    return typed(found.type, `(SELECT ${found.sql}${matched.source} LIMIT 1)`);
  }
  return existence(frame.compilers.match([path], null, frame.subquery()));
};

/** DuckDB computes a subquery once for all rows with the same values. */
const checkVolatile = (value: Expression, { context }: Frame): void => {
  if (hasVolatile(value))
    context.refuse(
      'Write CALL (n) { … } instead of this subquery: rand() would have one value for several rows.',
      value,
    );
};

export const patternComprehension = (comprehension: PatternComprehension, frame: Frame): Value => {
  checkVolatile(comprehension, frame);
  const { path, where, value } = comprehension;
  const matched = frame.compilers.match([path], where, frame.subquery());
  const item = matched.expression(value);
  return typed(listOf(item.type), listOfRows(matched, item.sql));
};

export const subquery = (value: SubqueryExpression, frame: Frame): Value => {
  checkVolatile(value, frame);
  const { word, query } = value;
  const rows = frame.compilers.query(query, frame.subquery());
  if (word === 'EXISTS') return existence(rows);
  if (word === 'COUNT') return typed(INTEGER, `(SELECT count(*)${rows.source})`);
  const [column = NULL] = rows.variables.values();
  return typed(listOf(column.type), listOfRows(rows, column.sql));
};
