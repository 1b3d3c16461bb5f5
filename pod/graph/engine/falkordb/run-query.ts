import { type GraphAnswer, type GraphQuery, type QueryFailure } from '../graph-engine';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type GraphSchema } from '../graph-schema';
import { positionAt } from '../query/cypher-tokens';
import { offsetBefore } from '../query/text-edits';
import { AnswerRows } from './answer-rows';
import { type Connection } from './connection';
import { type NodeIds } from './node-ids';
import { parameterLine } from './parameters';
import { analyseFalkordbQuery, engineText, explained, type Explained, type FalkordbQuery } from './query-text';
import { items, type Reply, type RowSink, textOf } from './resp';
import { type RunningServer } from './running-server';
import { UNKNOWN_YEAR } from './scalar-json';
import { GRAPH_KEY } from './server-process';
import { storedTimes } from './stored-times';
import { ValueEncoder } from './value-encoder';

/** What a query is run on. */
export interface QueryGraph {
  readonly schema: GraphSchema;
  readonly ids: NodeIds;
}

/** A query as it goes to the server. */
interface Statement {
  readonly analysed: FalkordbQuery;
  readonly command: Explained['command'];
  /** With its parameters before it. */
  readonly text: string;
  /** The text alone, in which the server's positions count. */
  readonly sent: string;
}

export const statementOf = ({ text, parameters }: GraphQuery, schema: GraphSchema): Either<QueryFailure, Statement> => {
  const asked = analyseFalkordbQuery(text);
  const { command, tokens } = explained(asked.tokens);
  const line = parameterLine(asked.parameters, parameters);
  if (isLeft(line)) return left({ kind: 'rejected', message: line.left, position: null });
  const times = storedTimes(asked.tokens, schema, parameters, new Date());
  if (isLeft(times)) {
    const { message, token } = times.left;
    return left({ kind: 'rejected', message, position: positionAt(text, token?.start ?? 0) });
  }
  const analysed = { ...asked, edits: [...asked.edits, ...times.right] };
  const sent = engineText(analysed, tokens);
  return right({ analysed, command, text: line.right + sent, sent });
};

type QueryResult = Either<QueryFailure, GraphAnswer>;

/** Runs one reading statement and encodes its rows while they come in. */
export const runQuery = async (server: RunningServer, query: GraphQuery, graph: QueryGraph): Promise<QueryResult> => {
  const attempt = () => server.lend((connection) => attemptQuery(connection, server, query, graph));
  const answer = await attempt();
  if (answer !== null) return answer;
  await server.refreshNames();
  return (await attempt()) ?? left({ kind: 'crashed', message: 'the server does not tell the names in its answer' });
};

/** Null when the answer uses names that are newer than those the server was asked for. */
const attemptQuery = async (
  connection: Connection,
  server: RunningServer,
  query: GraphQuery,
  { schema, ids }: QueryGraph,
): Promise<QueryResult | null> => {
  const statement = statementOf(query, schema);
  if (isLeft(statement)) return statement;
  const { analysed, command, text, sent } = statement.right;
  const { timeoutMs } = query;
  const failed = ({ kind, reason }: CallFailure): QueryResult =>
    left(kind === 'crashed' ? { kind, message: reason } : queryFailure(reason, sent, analysed, timeoutMs));
  const execute: Execute = (name, options, onRow) => connection.send([name, GRAPH_KEY, text, ...options], onRow);
  const timeout = ['TIMEOUT', String(timeoutMs)];

  if (command !== 'GRAPH.RO_QUERY') {
    const plan = await explain(execute, command, timeout);
    return isLeft(plan) ? failed(plan.left) : right(planAnswer(plan.right));
  }

  const encoder = new ValueEncoder(schema, server.names());
  const rows = new AnswerRows(analysed, schema, encoder, () => connection.close());
  const reply = await execute(command, [...timeout, '--compact'], (row, header) => rows.take(row, header));
  rows.throwError();
  if (rows.refusal !== null) return left({ kind: 'rejected', message: rows.refusal, position: null });
  if (encoder.lacksName) return null;
  if (encoder.hasUnknownYear) return left({ kind: 'rejected', message: UNKNOWN_YEAR, position: null });
  if (isLeft(reply) && !rows.isFull()) return failed(reply.left);
  const header = isLeft(reply) ? [] : items(items(reply.right)[0]);
  ids.remember(encoder.ids);
  const missing = rows.missingIds();
  if (missing.length === 0) return right(rows.answer(header, new Map()));
  const other = connection.isOpen() ? connection : await server.connect();
  const resolved = await ids.resolve(missing, other);
  if (other !== connection) other.close();
  return isLeft(resolved) ? failed(resolved.left) : right(rows.answer(header, resolved.right));
};

type Execute = (command: string, options: readonly string[], onRow?: RowSink) => Promise<Either<CallFailure, Reply>>;

/** PROFILE runs the statement outside of the read-only command, so only what that command has taken gets there. */
const explain = async (
  execute: Execute,
  command: 'GRAPH.EXPLAIN' | 'GRAPH.PROFILE',
  timeout: readonly string[],
): Promise<Either<CallFailure, Reply>> => {
  if (command === 'GRAPH.EXPLAIN') return execute(command, []);
  const checked = await execute('GRAPH.RO_QUERY', timeout);
  return isLeft(checked) ? checked : execute(command, timeout);
};

/** A plan is a list of indented lines, one per step. */
const planAnswer = (plan: Reply): GraphAnswer => {
  const lines = items(plan).map(textOf);
  return {
    columns: ['plan'],
    columnTypes: ['STRING'],
    rowsJson: JSON.stringify(lines.map((line) => [line])),
    rowCount: lines.length,
    truncated: false,
  };
};

/** The server's message in our words: syntax errors carry a place in what was sent whose column counts bytes. */
export const queryFailure = (
  reason: string,
  sent: string,
  { text, edits }: FalkordbQuery,
  timeoutMs: number,
): QueryFailure => {
  if (reason === 'Query timed out') return { kind: 'timeout', timeoutMs };
  if (reason.includes('mem consumption exceeded capacity')) return { kind: 'memory' };
  const found = /^(?:errMsg: )?(.*?) line: (\d+), column: (\d+), offset: \d+/s.exec(reason);
  if (found === null) return { kind: 'rejected', message: reason, position: null };
  const [, message = reason, line = '1', column = '1'] = found;
  const lines = sent.split('\n');
  const before = Buffer.from(lines[Number(line) - 1] ?? '').subarray(0, Number(column) - 1);
  const offset = [...lines.slice(0, Number(line) - 1), before.toString()].join('\n').length;
  return { kind: 'rejected', message, position: positionAt(text, offsetBefore(edits, offset)) };
};
