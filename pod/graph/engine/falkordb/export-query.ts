import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type CallFailure } from '../engine-failure';
import { exportedRows, type ExportedRows } from '../export/exported-rows';
import { createRowWriter } from '../export/create-row-writer';
import { type RowWriter } from '../export/row-writer';
import { type GraphQuery, type QueryFailure } from '../graph-engine';
import { ArrivedRows } from './arrived-rows';
import { readNames } from './names';
import { queryFailure, runQuery, statementOf, type QueryGraph } from './run-query';
import { type RunningServer } from './running-server';
import { GRAPH_KEY } from './server-process';
import { ID_MARKS, ValueEncoder } from './value-encoder';

type Piece = Either<CallFailure, Uint8Array | null>;

/**
 * Runs a query all of whose rows are wanted. The server computes them all before it sends the first one, and keeps those
 * that have not been taken.
 */
export const exportQuery = async (
  server: RunningServer,
  query: GraphQuery,
  graph: QueryGraph,
  format: ExportFormat,
): Promise<Either<QueryFailure, ExportedRows>> => {
  const statement = statementOf(query, graph.schema);
  if (isLeft(statement)) return statement;
  const { analysed, command, text, sent } = statement.right;
  if (command !== 'GRAPH.RO_QUERY') return exportPlan(await runQuery(server, query, graph), format);

  const connection = await server.connect();
  const encoder = new ValueEncoder(graph.schema, await readNames(connection));
  const arrived = new ArrivedRows(connection, analysed, graph.schema, encoder);
  const read = pieceReader(server, graph, arrived, encoder, format);
  const opened = await server.withoutRowLimit(() => {
    arrived.ask([command, GRAPH_KEY, text, 'TIMEOUT', String(query.timeoutMs), '--compact']);
    return read();
  });
  if (isLeft(opened)) {
    connection.close();
    const { kind, reason } = opened.left;
    return left(kind === 'crashed' ? { kind, message: reason } : queryFailure(reason, sent, analysed, query.timeoutMs));
  }
  let first = opened.right;
  const readNext = async (): Promise<Uint8Array | null> => {
    const piece = first === null ? await read() : right(first);
    first = null;
    if (isLeft(piece)) throw new Error(piece.left.reason);
    return piece.right;
  };
  return right(exportedRows(readNext, () => connection.close()));
};

const pieceReader = (
  server: RunningServer,
  { ids }: QueryGraph,
  arrived: ArrivedRows,
  encoder: ValueEncoder,
  format: ExportFormat,
): (() => Promise<Piece>) => {
  let writer: RowWriter | null = null;
  let isAtEnd = false;
  return async () => {
    if (isAtEnd) return right(null);
    const next = await arrived.next();
    if (isLeft(next)) return next;
    const { rows, isLast } = next.right;
    const missing = [...encoder.needed].filter((number) => !encoder.ids.has(number));
    const found = await server.lend((connection) => ids.resolve(missing, connection));
    if (isLeft(found)) return found;
    const idOf = (_: string, number: string): string =>
      encoder.ids.get(Number(number)) ?? found.right.get(Number(number)) ?? 'null';
    writer ??= await createRowWriter(format, arrived.described());
    for (const row of rows) {
      writer.add(encoder.needed.size === 0 ? row : row.map((cell) => cell.replace(ID_MARKS, idOf)));
    }
    encoder.needed.clear();
    encoder.ids.clear();
    isAtEnd = isLast;
    return right(isLast ? writer.end() : writer.take());
  };
};

/** A plan is short: it is exported in one piece. */
const exportPlan = async (
  answer: Awaited<ReturnType<typeof runQuery>>,
  format: ExportFormat,
): Promise<Either<QueryFailure, ExportedRows>> => {
  if (isLeft(answer)) return answer;
  const writer = await createRowWriter(format, [{ name: 'plan', type: 'STRING' }]);
  for (const [line] of JSON.parse(answer.right.rowsJson) as string[][]) writer.add([JSON.stringify(line)]);
  let piece: Uint8Array | null = writer.end();
  const read = (): Promise<Uint8Array | null> => {
    const only = piece;
    piece = null;
    return Promise.resolve(only);
  };
  return right(exportedRows(read, () => undefined));
};
