import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer, type GraphQuery, MAX_BYTES, MAX_ROWS, type QueryFailure } from '../graph-engine';
import { type CallFailure } from '../engine-failure';
import { createRowWriter } from '../export/create-row-writer';
import { exportedRows, type ExportedRows } from '../export/exported-rows';
import { type RowWriter } from '../export/row-writer';
import { explainError } from '../cypher/explain-error';
import { FALKORDB_ERRORS } from './error-lines';
import { type Connection, items, type Reply, textOf } from './connection';
import { prepareStatement, type Statement } from './prepare-statement';
import { QueryRows, type QueryGraph, type Row } from './query-rows';
import { type RunningServer, GRAPH_KEY } from './running-server';

/** Runs one reading statement; the answer contains its first rows. */
export const runQuery = async (
  server: RunningServer,
  query: GraphQuery,
  graph: QueryGraph,
): Promise<Either<QueryFailure, GraphAnswer>> => {
  const opened = await openRows(server, query, graph);
  if (isLeft(opened)) return opened;
  const reader = opened.right;
  const rows: string[] = [];
  let bytes = 0;
  let truncated = false;
  try {
    while (!truncated) {
      const batch = await reader.next();
      if (isLeft(batch)) return batch;
      if (batch.right === null) break;
      for (const cells of batch.right) {
        const row = `[${cells.join(',')}]`;
        bytes += Buffer.byteLength(row) + 1;
        truncated = rows.length === MAX_ROWS || bytes > MAX_BYTES;
        if (truncated) break;
        rows.push(row);
      }
    }
  } finally {
    reader.close();
  }
  const columns = reader.described();
  const warnings = graph.preparation.warnings(query.text, graph.schema, query.walks);
  return right({
    columns: columns.map(({ name }) => name),
    columnTypes: columns.map(({ type }) => type),
    rowsJson: `[${rows.join(',')}]`,
    rowCount: rows.length,
    truncated,
    ...(warnings.length === 0 ? {} : { warnings }),
  });
};

/**
 * Runs a query and returns all of its rows. The server computes all rows before it sends the first one, and keeps those
 * that were not read.
 */
export const exportQuery = async (
  server: RunningServer,
  query: GraphQuery,
  graph: QueryGraph,
  format: ExportFormat,
): Promise<Either<QueryFailure, ExportedRows>> => {
  const opened = await server.withoutRowLimit(() => openRows(server, query, graph));
  if (isLeft(opened)) return opened;
  const rows = opened.right;
  let writer: RowWriter | null = null;
  let isAtEnd = false;
  const read = async (): Promise<Uint8Array | null> => {
    if (isAtEnd) return null;
    const batch = await rows.next();
    if (isLeft(batch)) throw new Error('message' in batch.left ? batch.left.message : batch.left.kind);
    writer ??= await createRowWriter(format, rows.described());
    for (const row of batch.right ?? []) writer.add(row);
    isAtEnd = batch.right === null;
    return isAtEnd ? writer.end() : writer.take();
  };
  return right(exportedRows(read, () => rows.close()));
};

type OpenRows = Pick<QueryRows, 'next' | 'described' | 'close'>;

/** Runs a query up to its first rows. */
const openRows = async (
  server: RunningServer,
  query: GraphQuery,
  graph: QueryGraph,
): Promise<Either<QueryFailure, OpenRows>> => {
  const prepared = prepareStatement(query, graph);
  if (isLeft(prepared)) return prepared;
  const { asked, command, text } = prepared.right;
  const failureOf = ({ kind, reason }: CallFailure): QueryFailure =>
    kind === 'crashed' ? { kind, message: reason } : queryFailure(reason, prepared.right, query.timeoutMs);
  const timeout = ['TIMEOUT', String(query.timeoutMs)];
  const connection = await server.borrow();
  if (command !== 'GRAPH.RO_QUERY') {
    const plan = await explain(connection, command, text, timeout);
    server.release(connection);
    return isLeft(plan) ? left(failureOf(plan.left)) : right(planRows(plan.right));
  }
  const rows = new QueryRows(server, connection, asked, graph, failureOf);
  rows.send([command, GRAPH_KEY, text, ...timeout, '--compact']);
  const failure = await rows.ready();
  if (failure === null) return right(rows);
  rows.close();
  return left(failure);
};

/** PROFILE runs the statement outside of the read-only command, so it is first run by that command. */
const explain = async (
  connection: Connection,
  command: 'GRAPH.EXPLAIN' | 'GRAPH.PROFILE',
  text: string,
  timeout: readonly string[],
): Promise<Either<CallFailure, Reply>> => {
  if (command === 'GRAPH.EXPLAIN') return connection.send([command, GRAPH_KEY, text]);
  const checked = await connection.send(['GRAPH.RO_QUERY', GRAPH_KEY, text, ...timeout]);
  return isLeft(checked) ? checked : connection.send([command, GRAPH_KEY, text, ...timeout]);
};

/** A plan is a list of indented lines, one per step. */
const planRows = (plan: Reply): OpenRows => {
  let lines: readonly Row[] | null = items(plan).map((line) => [JSON.stringify(textOf(line))]);
  return {
    next: () => {
      const batch = lines;
      lines = null;
      return Promise.resolve(right(batch));
    },
    described: () => [{ name: 'plan', type: 'STRING' }],
    close: () => undefined,
  };
};

/** Converts an error of the server. Its syntax errors have a line and a column. */
const queryFailure = (reason: string, { asked, offsetOf }: Statement, timeoutMs: number): QueryFailure => {
  if (reason === 'Query timed out') return { kind: 'timeout', timeoutMs };
  if (reason.includes('mem consumption exceeded capacity')) return { kind: 'memory' };
  const found = /^(?:errMsg: )?(.*?) line: (\d+), column: (\d+), offset: \d+/s.exec(reason);
  const [, message = reason, line, column] = found ?? [];
  return explainError(
    message,
    FALKORDB_ERRORS,
    asked,
    line === undefined ? null : offsetOf(Number(line), Number(column)),
  );
};
