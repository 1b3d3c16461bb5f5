import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { answerTypeName } from '../column-type';
import { type GraphAnswer } from '../graph-engine';
import { encodeRows, type RawRow } from './encode-rows';
import { type EncodingContext } from './value-encoder';
import { type RawId } from './entity';
import { type EntityIds } from './entity-ids';
import { mergePlans, exactColumns, type ExactPlan, type ResultColumn } from './exact-columns';
import { type StatementFailure } from './kuzu-error';
import { parseKuzuType } from './kuzu-type';
import { type AnalysedQuery } from '../query/analyse-query';
import { type ProjectionItem } from '../query/result-shape';
import { type EngineParameters } from './parameters';
import { readRows } from './read-rows';
import { type ReadSession } from './read-session';
import { type TableNames } from './table-names';
import { editedText, type TextEdit } from '../query/text-edits';

const MAX_ROWS = 100_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ATTEMPTS = 4;

/** A query and how it goes to the engine. */
export interface KuzuQuery {
  readonly analysed: AnalysedQuery;
  /** What is not as the user sent it: parameters may be written out. */
  readonly edits: readonly TextEdit[];
  /** Those that go beside the text. */
  readonly parameters: EngineParameters;
  readonly skipsBlocks: boolean;
}

/** What a query needed to come out exact the last time, and its columns. */
export interface KnownPlan {
  readonly plan: ExactPlan;
  readonly columns: readonly ResultColumn[];
}

export const NO_PLAN: KnownPlan = { plan: new Map(), columns: [] };

export interface AnswerWithPlan {
  readonly answer: GraphAnswer;
  readonly plan: KnownPlan;
}

/** What the values of an answer are encoded with. */
export interface QueryGraph {
  readonly context: EncodingContext;
  readonly ids: EntityIds;
  readonly names: TableNames;
  /** Whether blocks of tables may be skipped at all. */
  readonly skipsBlocks: boolean;
}

/**
 * Runs a reading statement and encodes its rows. When a value may have been rounded on its way out of the engine, the
 * query runs again with columns added that carry it exactly; the plan it answers makes the next time one run.
 */
export const runQuery = async (
  session: ReadSession,
  { analysed, edits, parameters, skipsBlocks }: KuzuQuery,
  graph: QueryGraph,
  known: KnownPlan,
): Promise<Either<StatementFailure, AnswerWithPlan>> => {
  const { projections, limited } = analysed.result;
  const expressionText = (item: ProjectionItem): string => itemText(analysed, edits, item);
  let { plan, columns } = known;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const added = plan.size === 0 ? [] : exactColumns(projections, expressionText, plan, columns);
    if (added === null) break;
    const text = editedText(analysed.text, [...edits, ...added]);
    const result = await session.run(limited ? text : `${text} LIMIT ${MAX_ROWS + 1}`, parameters, skipsBlocks);
    if (isLeft(result)) return result;
    const total = result.right.getNumTuples();
    columns = ownColumns(result.right.getColumnNamesSync(), result.right.getColumnDataTypesSync(), plan);
    const rows: RawRow[] = [];
    await readRows(result.right, (row) => rows.push(row), MAX_ROWS);
    await resolveIds(rows, columns, graph.ids, session);
    const encoded = await encodeRows(rows, columns, plan, graph.context, MAX_BYTES);
    if (encoded.needs.size > 0) {
      plan = mergePlans(plan, encoded.needs);
      continue;
    }
    const answer: GraphAnswer = {
      columns: columnNames(columns, analysed),
      columnTypes: columns.map(({ type }) => answerTypeName(type)),
      rowsJson: `[${encoded.rows.join(',')}]`,
      rowCount: encoded.rows.length,
      truncated: encoded.rows.length < total,
    };
    return right({ answer, plan: plan.size === 0 ? NO_PLAN : { plan, columns } });
  }
  const names = [...plan.keys()].map((index) => columns[index]?.name ?? `column ${index + 1}`);
  const message =
    `${names.join(', ')}: the engine cannot return these values without rounding them. Return the properties as columns ` +
    'of their own instead of inside maps, name the columns instead of using several *, or cast them to STRING.';
  return left({ kind: 'refused', message });
};

/** The text of an expression as the query spells it after some edits. */
const itemText = ({ text }: AnalysedQuery, edits: readonly TextEdit[], { expression }: ProjectionItem): string =>
  editedText(text, edits, expression[0]?.start, expression.at(-1)?.end);

/** The query's columns without those a plan added behind them. */
const ownColumns = (names: readonly string[], types: readonly string[], plan: ExactPlan): readonly ResultColumn[] => {
  const added = [...plan.values()].reduce((sum, need) => sum + (need === 'whole' ? 1 : need.size), 0);
  return names
    .slice(0, names.length - added)
    .map((name, index) => ({ name, type: parseKuzuType(types[index] ?? 'STRING') }));
};

const resolveIds = async (
  rows: readonly RawRow[],
  columns: readonly ResultColumn[],
  ids: EntityIds,
  { connection }: ReadSession,
): Promise<void> => {
  const missing = new Map<string, RawId>();
  for (const { name, type } of columns) {
    const mayHoldEntities = type.kind !== 'scalar' || type.name === 'INTERNAL_ID';
    if (mayHoldEntities) for (const row of rows) ids.collect(row[name], missing);
  }
  if (missing.size > 0) await ids.resolve(missing, connection);
};

/** The engine names a column without alias after its expression, which it spells its own way where it has parameters. */
const columnNames = (columns: readonly ResultColumn[], analysed: AnalysedQuery): readonly string[] => {
  const items = analysed.result.projections[0]?.items ?? [];
  return columns.map(({ name }, index) => {
    const item = items.length === columns.length ? items[index] : undefined;
    const parameterized = item?.expression.some(({ kind }) => kind === 'parameter') ?? false;
    return item === undefined || item.aliased || !parameterized ? name : itemText(analysed, [], item);
  });
};
