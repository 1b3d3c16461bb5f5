import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { type ErrorLine, explainError } from '../cypher/explain-error';
import { type CallFailure } from '../engine-failure';
import { createRowWriter } from '../export/create-row-writer';
import { type ExportedRows, exportedRows } from '../export/exported-rows';
import { type RowWriter } from '../export/row-writer';
import { type GraphAnswer, type GraphQuery, MAX_BYTES, MAX_ROWS, type QueryFailure } from '../graph-engine';
import { type Connection, items, type Reply, textOf } from './connection';
import { prepareStatement, type Statement } from './prepare-statement';
import { type QueryGraph, QueryRows, type Row } from './query-rows';
import { GRAPH_KEY, type RunningServer } from './running-server';

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
  const warnings = graph.preparation.warnings(query.text, graph.schema);
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
  const { analysed, command, text } = prepared.right;
  const failureOf = ({ kind, reason }: CallFailure): QueryFailure =>
    kind === 'crashed' ? { kind, message: reason } : queryFailure(reason, prepared.right, query.timeoutMs);
  const timeout = ['TIMEOUT', String(query.timeoutMs)];
  const connection = await server.borrow();
  if (command !== 'GRAPH.RO_QUERY') {
    const plan = await explain(connection, command, text, timeout);
    server.release(connection);
    return isLeft(plan) ? left(failureOf(plan.left)) : right(planRows(plan.right));
  }
  const rows = new QueryRows(server, connection, analysed, graph, failureOf);
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
const queryFailure = (reason: string, { analysed, offsetOf }: Statement, timeoutMs: number): QueryFailure => {
  if (reason === 'Query timed out') return { kind: 'timeout', timeoutMs };
  if (reason.includes('mem consumption exceeded capacity')) return { kind: 'memory' };
  const found = /^(?:errMsg: )?(.*?) line: (\d+), column: (\d+), offset: \d+/s.exec(reason);
  const [, message = reason, line, column] = found ?? [];
  return explainError(
    message,
    FALKORDB_ERRORS,
    analysed,
    line === undefined ? null : offsetOf(Number(line), Number(column)),
  );
};

const SHORTEST = 'write MATCH (a …), (b …) WITH a, b RETURN shortestPath((a)-[:TYPE*]->(b))';

/** FalkorDB's errors for wrong queries, and the messages for users. */
export const FALKORDB_ERRORS: readonly ErrorLine[] = [
  // Names
  [/^Unable to resolve filtered alias '(.+)'/, 'A condition uses $1 where it is not bound yet; write WITH * between the clause that binds it and the condition.'],
  [/^Procedure `(.+)` (?:is not|requires|does not)|^Invalid arguments for procedure '(.+)'/, 'The call of $1$2 does not fit its parameters and columns; docs/guides/kinds.md shows it.'],
  // Types
  [/^Type mismatch: expected Map, .* but was String/, 'A text has no fields or items; if a column has the name of a node, give the column another one by AS. FalkorDB keeps a MAP, STRUCT or nested LIST as JSON text: return the whole property, or make the field a property of its own in the mapping.'],
  [/^Type mismatch: expected Path/, 'A length is that of a path; write size(…) for a text or a list.', 'length'],
  [/^Type mismatch: .* but was Point$/, 'Overflow: a result is beyond the range of INT64; compute with toFloat(x).', '*', '+', 'sum'],
  [/^Type mismatch: expected String or Null but was Float/, 'A number has no exact text or sum here, as NaN, 1e20 and integers beyond 2^53, or is where a text is needed; exclude such rows by WHERE, or return the number itself.'],
  [/^Type mismatch: expected (.+) but was (.+)/, 'A value has the type $2 where $1 is needed; exclude such rows by WHERE, or convert it by toInteger(x), toFloat(x) or toString(x).'],
  [/^Received (\d+) arguments to function '(.+)', expected at (least|most) (\d+)/, '$2 needs at $3 $4 values, and has $1.'],
  [/^Property values can only be/, 'A property can be compared with numbers, texts, booleans and lists of them only.'],
  [/^Attempted to access undefined attribute|^Attempted to access variable before/, 'A value is used where it does not exist yet; bind it by WITH before.'],
  // Clauses
  [/^(LIMIT|SKIP) specified value of invalid type/, '$1 needs an integer of at least 0.'],
  [/^(?:WITH clause projections|Expression in CALL) must be aliased/, 'Each value after WITH needs a name: WITH count(*) AS total.'],
  [/combination of UNION and UNION ALL/, 'UNION and UNION ALL are in one query; write one of them throughout.', 'ALL'],
  [/COUNT\(DISTINCT \*\)|can accept \* as an argument/, 'Only count accepts *, and without DISTINCT; write count(DISTINCT n).'],
  // Paths
  [/allShortestPaths only in match|^Source and destination must already/, 'Bind both ends before allShortestPaths: MATCH (a …), (b …) WITH a, b MATCH p = allShortestPaths((a)-[:TYPE*]->(b)).', 'allShortestPaths'],
  [/shortestPath/, `This shortest path is not possible here; ${SHORTEST}: both ends bound, one directed relationship without properties, from length 0 or 1.`, 'shortestPath'],
  // Values
  [/^Division by zero/i, 'A division by zero; exclude such rows, for example by WHERE x <> 0.', '/', '%'],
  [/^(?:Integer|Float) overflow '(.+)'/, 'Overflow: the number $1 is too large.'],
  [/^Invalid numeric value '(.+)'/, '$1 is not a number.'],
  [/^Failed to parse (\w+)/, 'A text is not a $1; write it as 2024-05-01 or 2024-05-01T10:30:00.', 'datetime', 'localdatetime'],
  [/^ArgumentError: step argument/, 'The step of range must not be 0.', 'range'],
  [/not a valid argument, must be a number in the range/, 'A share must be from 0.0 to 1.0.', 'percentileCont', 'percentileDisc'],
  [/must be a non-negative integer/, 'A length must be an integer of at least 0.', 'left', 'right', 'substring'],
  [/^Invalid regex/, 'The regular expression is wrong; check its brackets and escapes. One that is not constant cannot have \\D, \\W, \\S, \\\\ or a class in a class.'],
  [/point map/, 'A point needs numbers: point({latitude: 47.4, longitude: 8.5}).', 'point'],
  [/does not currently support (?:the )?(.+?)\.?$/, 'This kind of instance does not know $1; docs/guides/kinds.md lists what it reads.'],
  [/^Invalid input|^errMsg: Invalid input|could not parse/, 'This kind of instance cannot read $0; docs/guides/kinds.md lists what it reads.'],
]; // prettier-ignore
