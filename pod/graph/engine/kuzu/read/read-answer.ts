import { left, right } from 'fp-ts/Either';
import { MAX_ROWS, rowTooLarge } from '../../answer-limits';
import { answerTypeName } from '../../column-type';
import { type GraphAnswer } from '../../graph-engine';
import { encodeRows, rowEncoder, type RawRow } from './encode-rows';
import { resolveIds } from './entity-ids';
import { refused } from '../binding/kuzu-error';
import { readRows } from '../binding/read-rows';
import { type ReadResult } from './run-query';

/** Makes the answer in JSON of a result, as many of its rows as one may hold. */
export const readAnswer: ReadResult<GraphAnswer> = async ({ result, columns, names, plan, graph, session }) => {
  const total = result.getNumTuples();
  const rows: RawRow[] = [];
  await readRows(result, (row) => rows.push(row), MAX_ROWS);
  await resolveIds(rows, columns, graph.ids, session.connection);
  const encoder = rowEncoder(columns, plan, graph.context);
  const encoded = await encodeRows(rows, encoder);
  if (encoder.needs.size > 0) return left({ kind: 'inexact', needs: encoder.needs });
  const { tooLarge } = encoded;
  if (tooLarge !== null) return left(refused(rowTooLarge(tooLarge.row, tooLarge.bytes)));
  return right({
    columns: names,
    columnTypes: columns.map(({ type }) => answerTypeName(type)),
    rowsJson: `[${encoded.rows.join(',')}]`,
    rowCount: encoded.rows.length,
    truncated: encoded.rows.length < total,
  });
};
