import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type QueryResult, refused, thrownFailure, type StatementFailure } from '../binding/binding';
import { type EncodingContext } from './value-encoder';
import { type EntityIds } from './entity-ids';
import { mergePlans, exactColumns, type ExactPlan, type ResultColumn } from './exact-columns';
import { parseKuzuType } from '../binding/kuzu-type';
import { type AnalysedQuery } from '../../query/analyse-query';
import { columnTitles, type ProjectionItem } from '../../query/result-shape';
import { type EngineParameters } from '../send/parameters';
import { type ReadSession } from '../send/read-sessions';
import { type TableNames } from '../load/table-names';
import { editedText, type TextEdit } from '../../query/text-edits';

const MAX_ATTEMPTS = 4;

/** A query and how it is sent to the engine. */
export interface KuzuQuery {
  readonly query: AnalysedQuery;
  /** Differences from the text of the user. */
  readonly edits: readonly TextEdit[];
  /** Those that are bound. */
  readonly parameters: EngineParameters;
  readonly skipsBlocks: boolean;
  /** The engine need not compute more rows than one above this number; null for all. */
  readonly maxRows: number | null;
}

/** What a query needed to be exact the last time, and its columns. */
export interface KnownPlan {
  readonly plan: ExactPlan;
  readonly columns: readonly ResultColumn[];
}

export const NO_PLAN: KnownPlan = { plan: new Map(), columns: [] };

export interface AnswerWithPlan<A> {
  readonly answer: A;
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

/** A result with what is needed to read it. */
export interface OpenedResult {
  readonly result: QueryResult;
  readonly columns: readonly ResultColumn[];
  /** The titles of the columns. */
  readonly names: readonly string[];
  readonly plan: ExactPlan;
  readonly graph: QueryGraph;
  readonly session: ReadSession;
}

/** What must be fetched exactly before the rows can be returned. */
interface Inexact {
  readonly kind: 'inexact';
  readonly needs: ExactPlan;
}

/** Makes an answer of a result, and closes the result at once or later. */
export type ReadResult<A> = (opened: OpenedResult) => Promise<Either<StatementFailure | Inexact, A>>;

/**
 * Runs a reading statement and reads its rows. When the binding may have rounded a value, the query runs again with
 * columns added that carry it exactly; with the plan it returns, the next time takes one run.
 */
export const runQuery = async <A>(
  session: ReadSession,
  { query, edits, parameters, skipsBlocks, maxRows }: KuzuQuery,
  graph: QueryGraph,
  known: KnownPlan,
  read: ReadResult<A>,
): Promise<Either<StatementFailure, AnswerWithPlan<A>>> => {
  const { projections, limited } = query.result;
  const expressionText = (item: ProjectionItem): string => itemText(query, edits, item);
  let { plan, columns } = known;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const added = plan.size === 0 ? [] : exactColumns(projections, expressionText, plan, columns);
    if (added === null) break;
    const text = editedText(query.text, [...edits, ...added]);
    const limit = limited || maxRows === null ? '' : ` LIMIT ${maxRows + 1}`;
    const result = await session.run(text + limit, parameters, skipsBlocks);
    if (isLeft(result)) return result;
    columns = ownColumns(result.right.getColumnNamesSync(), result.right.getColumnDataTypesSync(), plan);
    const names = columnTitles(
      query,
      columns.map(({ name }) => name),
    );
    const opened = { result: result.right, columns, names, plan, graph, session };
    const answer = await read(opened).catch((error: unknown) => left(thrownFailure(error)));
    if (!isLeft(answer)) return right({ answer: answer.right, plan: plan.size === 0 ? NO_PLAN : { plan, columns } });
    result.right.close();
    if (answer.left.kind !== 'inexact') return left(answer.left);
    plan = mergePlans(plan, answer.left.needs);
  }
  const names = [...plan.keys()].map((index) => columns[index]?.name ?? `column ${index + 1}`);
  const message =
    `${names.join(', ')}: these values would be rounded. Return the properties as separate columns ` +
    'instead of inside maps, name the columns instead of using several *, or cast them to STRING.';
  return left(refused(message));
};

/** The text of an expression as the query spells it after some edits. */
const itemText = ({ text }: AnalysedQuery, edits: readonly TextEdit[], { expression }: ProjectionItem): string =>
  editedText(text, edits, expression[0]?.start, expression.at(-1)?.end);

/** The query's columns without those that a plan added after them. */
const ownColumns = (names: readonly string[], types: readonly string[], plan: ExactPlan): readonly ResultColumn[] => {
  const added = [...plan.values()].reduce((sum, need) => sum + (need === 'whole' ? 1 : need.size), 0);
  return names
    .slice(0, names.length - added)
    .map((name, index) => ({ name, type: parseKuzuType(types[index] ?? 'STRING') }));
};
