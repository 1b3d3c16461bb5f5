import { type Expression, type PatternComprehension, type SubqueryExpression } from '../../cypher/tree';
import { type Frame, listOfRows } from './frame';
import { BOOLEAN, INTEGER, listOf, NULL, type Value } from './type';

/** As a value it is a count, because DuckDB 1.5 compares nulls from outside wrongly in an EXISTS that is a column. */
const existence = (rows: Frame): Value => {
  const exists = `EXISTS (SELECT 1${rows.source})`;
  return { sql: `((SELECT count(*)${rows.source}) > 0)`, type: BOOLEAN, exists };
};

export const pattern = (value: Extract<Expression, { kind: 'pattern' }>, frame: Frame): Value => {
  const { path } = value;
  if (path.shortest !== null) {
    const name = path.name ?? { text: ' path', start: path.start, end: path.end };
    const matched = frame.compilers.match([{ ...path, name }], null, frame.subquery());
    const found = matched.find(name.text)?.variable ?? NULL;
    return { sql: `(SELECT ${found.sql}${matched.source} LIMIT 1)`, type: found.type };
  }
  const matched = frame.compilers.match([path], null, frame.subquery());
  return existence(matched);
};

export const patternComprehension = ({ path, where, value }: PatternComprehension, frame: Frame): Value => {
  const matched = frame.compilers.match([path], where, frame.subquery());
  const item = frame.compilers.expression(value, matched);
  const sql = item.type.kind === 'null' ? 'CAST(NULL AS VARCHAR)' : item.sql;
  return { sql: listOfRows(matched, sql), type: listOf(item.type) };
};

export const subquery = ({ word, query }: SubqueryExpression, frame: Frame): Value => {
  const rows = frame.compilers.query(query, frame.subquery());
  if (word === 'EXISTS') return existence(rows);
  if (word === 'COUNT') return { sql: `(SELECT count(*)${rows.source})`, type: INTEGER };
  const [column = NULL] = rows.variables.values();
  const sql = column.type.kind === 'null' ? 'CAST(NULL AS VARCHAR)' : column.sql;
  return { sql: listOfRows(rows, sql), type: listOf(column.type) };
};
