import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type GraphAnswer, type GraphQuery, type QueryFailure } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery } from '../query/analyse-query';
import { answerColumns, type AnswerColumn } from './answer-columns';
import { type Connection } from './connection';
import { parameterLine } from './parameters';
import { analyseFalkordbQuery, engineText, explained, unknownNames } from './query-text';
import { type Reply, type RowSink } from './resp';
import { queryFailure } from './server-error';
import { createValueEncoder, ID_MARKS, items, textOf, type Names } from './value-encoder';

export const GRAPH_KEY = 'graph';
export const MAX_ROWS = 100_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** What a query is run on. */
export interface QueryGraph {
  readonly schema: GraphSchema;
  readonly names: Names;
  readonly ids: NodeIds;
  /** A connection beside the one of the query. */
  readonly connect: () => Promise<Connection>;
}

/** JSON texts of the `_id`s of nodes by their numbers. */
export interface NodeIds {
  readonly remember: (number: number, idJson: string) => void;
  /** Asks the engine for those that are not remembered. */
  readonly resolve: (
    numbers: readonly number[],
    connection: Connection,
  ) => Promise<Either<CallFailure, ReadonlyMap<number, string>>>;
}

type QueryResult = Either<QueryFailure, GraphAnswer>;

/**
 * Runs one reading statement and encodes its rows while they come in. `UnknownNameError` is thrown when the names are
 * older than the answer.
 */
export const runQuery = async (
  connection: Connection,
  { text, parameters, timeoutMs }: GraphQuery,
  graph: QueryGraph,
): Promise<QueryResult> => {
  const analysed = analyseFalkordbQuery(text);
  const { command, tokens } = explained(analysed.tokens);
  const line = parameterLine(analysed.parameters, parameters);
  if (isLeft(line)) return left({ kind: 'rejected', message: line.left, position: null });
  const sent = engineText(analysed.text, tokens);
  const failed = (failure: CallFailure): QueryResult =>
    left(
      failure.kind === 'crashed'
        ? { kind: 'crashed', message: failure.reason }
        : queryFailure(failure.reason, sent, timeoutMs),
    );
  const execute = (name: string, options: readonly string[], onRow?: RowSink) =>
    connection.send([name, GRAPH_KEY, line.right + sent, ...options], onRow);
  const timeout = ['TIMEOUT', String(timeoutMs)];

  if (command !== 'GRAPH.RO_QUERY') {
    // PROFILE runs the statement outside of the read-only command, so only what that command has taken gets there.
    const checked = command === 'GRAPH.PROFILE' ? await execute('GRAPH.RO_QUERY', timeout) : right(null);
    if (isLeft(checked)) return failed(checked.left);
    const plan = await execute(command, command === 'GRAPH.PROFILE' ? timeout : []);
    return isLeft(plan) ? failed(plan.left) : right(planAnswer(plan.right));
  }

  const collector = collectRows(analysed, graph, () => connection.close());
  const reply = await execute('GRAPH.RO_QUERY', [...timeout, '--compact'], collector.onRow);
  collector.throwError();
  if (isLeft(reply) && !collector.isFull()) return failed(reply.left);
  const header = isLeft(reply) ? [] : items(items(reply.right)[0]);
  const missing = collector.missingIds();
  if (missing.length === 0) return right(collector.answer(header, new Map()));
  const other = connection.isOpen() ? connection : await graph.connect();
  const resolved = await graph.ids.resolve(missing, other);
  if (other !== connection) other.close();
  return isLeft(resolved) ? failed(resolved.left) : right(collector.answer(header, resolved.right));
};

/** Takes the rows of an answer as they come, up to what an answer may hold. */
const collectRows = ({ tokens, result }: AnalysedQuery, graph: QueryGraph, stop: () => void) => {
  const own = new Map<number, string>();
  const onNode = (number: number, idJson: string): void => {
    own.set(number, idJson);
    graph.ids.remember(number, idJson);
  };
  const encoder = createValueEncoder({ ...graph, onNode });
  const rows: string[] = [];
  let header: readonly Reply[] = [];
  let columns: readonly AnswerColumn[] = [];
  let bytes = 0;
  let truncated = false;
  let error: Error | null = null;

  const add = (row: Reply): void => {
    const json = `[${items(row)
      .map((cell, index) => {
        const [type, value] = items(cell);
        return columns[index]?.encode(Number(type), value ?? null) ?? 'null';
      })
      .join(',')}]`;
    bytes += Buffer.byteLength(json) + 1;
    truncated = rows.length === MAX_ROWS || bytes > MAX_BYTES;
    if (!truncated) rows.push(json);
    // What is still to come is of no use, and may be much.
    if (bytes > MAX_BYTES) stop();
  };

  return {
    onRow: (row: Reply, names: Reply): void => {
      if (truncated || error !== null) return;
      if (rows.length === 0) {
        header = items(names);
        columns = answerColumns(header.length, result, graph.schema, encoder);
      }
      try {
        add(row);
      } catch (thrown) {
        error = thrown instanceof Error ? thrown : new Error(String(thrown));
      }
    },
    throwError: (): void => {
      if (error !== null) throw error;
    },
    isFull: (): boolean => bytes > MAX_BYTES,
    missingIds: () => [...encoder.needed].filter((number) => !own.has(number)),
    /** `names`: the header of an answer without rows; `ids`: those of the nodes that are not in the answer. */
    answer: (names: readonly Reply[], ids: ReadonlyMap<number, string>): GraphAnswer => {
      const described = header.length > 0 ? header : names;
      const typed = rows.length > 0 ? columns : answerColumns(described.length, result, graph.schema, encoder);
      const idOf = (_: string, number: string): string => own.get(Number(number)) ?? ids.get(Number(number)) ?? 'null';
      const complete = encoder.needed.size === 0 ? rows : rows.map((row) => row.replace(ID_MARKS, idOf));
      const unknown = unknownNames(tokens, knownNames(graph.schema));
      return {
        columns: described.map((column) => textOf(items(column)[1])),
        columnTypes: typed.map((column) => column.typeName()),
        rowsJson: `[${complete.join(',')}]`,
        rowCount: rows.length,
        truncated,
        ...(unknown.length === 0 ? {} : { warnings: unknown.map((name) => warning(name, graph.schema)) }),
      };
    },
  };
};

const knownNames = ({ nodeTables, edgeTables }: GraphSchema): ReadonlySet<string> =>
  new Set([...nodeTables.map(({ label }) => label), ...edgeTables.map(({ type }) => type)]);

const warning = (name: string, { nodeTables, edgeTables }: GraphSchema): string => {
  const labels = nodeTables.map(({ label }) => label).join(', ');
  const types = edgeTables.map(({ type }) => type).join(', ');
  return `There is no label or edge type ${name} in this graph, so nothing matches it. Labels: ${labels}; edge types: ${types}.`;
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
