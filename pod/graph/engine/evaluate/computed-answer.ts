import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery, type Refusal } from '../cypher/analyse-query';
import { itemTitles } from '../cypher/column-titles';
import { positionAt } from '../cypher/cypher-tokens';
import { valueTypes } from '../cypher/scopes';
import { scalarType, SEVERAL_TEXTS } from '../cypher/value-type';
import { expressionsIn } from '../cypher/walk';
import { type GraphAnswer, type GraphQuery, MAX_BYTES, type QueryFailure } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type Context, type Row, type Table } from './context';
import {
  dividedQueries,
  type DividedQuery,
  isComputable,
  MAX_READ_ROWS,
  partsOfUnion,
  readsGraph,
} from './divided-query';
import { afterClauses, contextOf, tableOf, united } from './evaluate-clauses';
import { EvaluationFault } from './evaluation-fault';
import { columnType, COMPUTED_TIMES, parameterValue, RowValues } from './row-values';
import { TEMPORAL_FUNCTIONS } from './temporal/temporal-functions';
import { GraphNode, type Value } from './values';

/** An engine that may reject a query that the pod can compute. */
export interface Computing {
  readonly schema: GraphSchema;
  readonly analyse: (text: string) => Either<Refusal, AnalysedQuery>;
  readonly ask: (query: GraphQuery) => Promise<Either<QueryFailure, GraphAnswer>>;
}

/** Limit, because other requests wait: each value of an expression, and each item of a list, is a step. */
const MAX_STEPS = 300_000;

/**
 * The answer of an engine. If the engine rejects a query, the pod computes the clauses after the last MATCH from the
 * rows that the engine finds, up to `MAX_READ_ROWS`, and combines the parts of a UNION. Lists, maps, comparisons and
 * times without a graph are computed by the pod only, because their values may have any type.
 */
export const computedAnswer = async (
  computing: Computing,
  query: GraphQuery,
): Promise<Either<QueryFailure, GraphAnswer>> => {
  const { schema, analyse, ask } = computing;
  const endsAt = Date.now() + query.timeoutMs;
  const analysis = analyse(query.text);
  if (isLeft(analysis)) return ask(query);
  const analysed = analysis.right;
  const isComplete = analysed.parameters.every((name) => Object.hasOwn(query.parameters, name));
  const alone = (): Computed =>
    isComplete && isWithoutGraph(analysed)
      ? computed(analysed, query, new RowValues(schema), (context) => tableOf(analysed.query, new Map(), context))
      : null;
  const known = isWithoutGraph(analysed) && usesValues(analysed, query) ? alone() : null;
  if (known instanceof EvaluationFault) return left(errorIn(query.text, known));
  if (known !== null) return right(known);
  const answer = await ask(query);
  if (!isLeft(answer) || answer.left.kind !== 'rejected' || !isComplete) return answer;
  const made = alone();
  if (isAnswer(made)) return right(made);
  return (await ofReadRows(analysed, { computing, query, endsAt })) ?? answer;
};

/** The state of reading a query, part by part. */
interface Reading {
  readonly computing: Computing;
  readonly query: GraphQuery;
  readonly endsAt: number;
}

/**
 * The answer from rows that the engine finds, or from the parts of a UNION; null if there is none. Another division is
 * tried only if the engine rejects the query for its rows: after any other failure it would run the same work again.
 */
const ofReadRows = async (
  analysed: AnalysedQuery,
  reading: Reading,
): Promise<Either<QueryFailure, GraphAnswer> | null> => {
  const { computing } = reading;
  const parts = partsOfUnion(analysed);
  if (parts.length > 0) {
    const reads = await readAll(parts, reading, (part) => computedAnswer(computing, part));
    return ofReads(analysed, reading, reads, (tables) => united(tables, analysed.query.unions));
  }
  for (const { text, columns, rest } of dividedQueries(analysed)) {
    const reads = await readAll([text], reading, computing.ask);
    if (isLeft(reads) && reads.left?.kind === 'rejected') continue;
    return ofReads(analysed, reading, reads, (tables, context) => {
      const rows = tables.flatMap((table) => table.rows.map((cells) => rowOf(cells, columns)));
      return afterClauses(rest, rows, context);
    });
  }
  return null;
};

/** A query with its answer. */
interface Read {
  readonly analysed: AnalysedQuery;
  readonly answer: GraphAnswer;
}

/** All answers, or the failure of one; null if one has too many rows. */
type Reads = Either<QueryFailure | null, readonly Read[]>;

const readAll = async (
  texts: readonly string[],
  { computing, query, endsAt }: Reading,
  ask: Computing['ask'],
): Promise<Reads> => {
  const reads: Read[] = [];
  for (const text of texts) {
    const timeoutMs = endsAt - Date.now();
    const analysis = computing.analyse(text);
    if (isLeft(analysis)) return left({ kind: 'rejected', ...analysis.left });
    const outOfTime: QueryFailure = { kind: 'timeout', timeoutMs: query.timeoutMs };
    if (timeoutMs <= 0) return left(outOfTime);
    const answer = await ask({ ...query, text, timeoutMs });
    if (isLeft(answer)) return answer.left.kind === 'timeout' ? left(outOfTime) : answer;
    if (answer.right.rowCount > MAX_READ_ROWS || answer.right.truncated) return left(null);
    reads.push({ analysed: analysis.right, answer: answer.right });
  }
  return right(reads);
};

const ofReads = (
  analysed: AnalysedQuery,
  { computing: { schema }, query }: Reading,
  reads: Reads,
  compute: (tables: readonly Table[], context: Context) => Table,
): Either<QueryFailure, GraphAnswer> | null => {
  if (isLeft(reads)) return reads.left === null || reads.left.kind === 'rejected' ? null : left(reads.left);
  const values = new RowValues(schema);
  const found = computed(analysed, query, values, (context) =>
    compute(
      reads.right.map((read) => tableOfRead(read, schema, values)),
      context,
    ),
  );
  const warnings = [...new Set(reads.right.flatMap(({ answer }) => answer.warnings ?? []))];
  if (!isAnswer(found)) return null;
  return right(warnings.length === 0 ? found : { ...found, warnings });
};

const tableOfRead = ({ analysed: { text, query }, answer }: Read, schema: GraphSchema, values: RowValues): Table => {
  const typeOf = valueTypes(query, schema);
  const last = query.parts[0]?.at(-1);
  const items = last?.kind === 'return' ? last.items : [];
  const columns = itemTitles(text, query).map((title) => title ?? '');
  const typed = items.map(({ value }, at) => {
    const [type, name = 'ANY'] = [typeOf(value), answer.columnTypes[at]];
    const isNamed = (type.kind === 'unknown' && type !== SEVERAL_TEXTS) || COMPUTED_TIMES.has(name);
    return [columns[at] ?? '', isNamed ? scalarType(name) : type] as const;
  });
  return { columns, rows: values.rows(answer, typed) };
};

const isWithoutGraph = ({ query, explain }: AnalysedQuery): boolean => {
  const clauses = query.parts.flat();
  return explain === null && new Set(query.unions).size < 2 && !clauses.some(readsGraph) && isComputable(clauses);
};

const VALUES = /^(list|map|map_projection|comparison|case|quantifier|comprehension|reduction|index|slice|property)$/;

const usesValues = ({ query }: AnalysedQuery, { parameters }: GraphQuery): boolean =>
  expressionsIn(query).some(
    (value) =>
      VALUES.test(value.kind) ||
      (value.kind === 'parameter' && typeof parameters[value.name] === 'object') ||
      (value.kind === 'binary' && value.operator === 'IN') ||
      (value.kind === 'call' && (/^keys$/i.test(value.name) || TEMPORAL_FUNCTIONS.has(value.name.toUpperCase()))),
  );

/** A fault if openCypher has no answer; null if the pod cannot compute it, or not within its limits. */
type Computed = GraphAnswer | EvaluationFault | null;

const isAnswer = (found: Computed): found is GraphAnswer => found !== null && !(found instanceof EvaluationFault);

const errorIn = (text: string, { message, offset }: EvaluationFault): QueryFailure => ({
  kind: 'rejected',
  message: `In openCypher this is an error: ${message}.`,
  position: offset === null ? null : positionAt(text, offset),
});

const computed = (
  { text, parameters: names }: AnalysedQuery,
  { parameters }: GraphQuery,
  values: RowValues,
  compute: (context: Context) => Table,
): Computed => {
  try {
    const known = new Map(names.map((name) => [name, parameterValue(parameters[name])]));
    const { columns, rows } = compute(contextOf(text, known, MAX_STEPS));
    const cells = rows.map((row) => columns.map((column) => row.get(column) ?? null));
    const rowsJson = `[${cells.map((row) => `[${row.map((value) => values.text(value)).join(',')}]`).join(',')}]`;
    if (Buffer.byteLength(rowsJson) > MAX_BYTES) return null;
    const columnTypes = columns.map((_, at) => columnType(cells.map((row) => row[at] ?? null)));
    return { columns, columnTypes, rowsJson, rowCount: rows.length, truncated: false };
  } catch (error) {
    if (error instanceof EvaluationFault) return error.kind === 'error' ? error : null;
    throw error;
  }
};

/** A row of the engine in the form that the rest of the query uses: a node has the requested properties. */
const rowOf = (cells: Row, columns: DividedQuery['columns']): Row => {
  const row = new Map<string, Value>();
  const properties = new Map<string, Map<string, Value>>();
  for (const { called, name, property } of columns) {
    const value = cells.get(called) ?? null;
    if (property === null) row.set(name, value);
    else properties.set(name, (properties.get(name) ?? new Map<string, Value>()).set(property, value));
  }
  for (const [name, found] of properties) row.set(name, new GraphNode(0, [], found));
  return row;
};
