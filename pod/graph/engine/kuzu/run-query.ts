import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { answerTypeName } from '../column-type';
import { cypherTokens } from '../gate/cypher-tokens';
import { type GraphAnswer } from '../graph-engine';
import { encodeRows, type RawRow } from './encode-rows';
import { type EncodingContext } from './encode-value';
import { type RawId } from './entity';
import { type EntityIds } from './entity-ids';
import { mergePlans, withExactColumns, type ExactPlan, type ResultColumn } from './exact-columns';
import { type StatementFailure } from './kuzu-error';
import { parseKuzuType } from './kuzu-type';
import { expressionText, resultShape, type ResultShape } from '../projection';
import { type EngineParameters, parameterNames } from './engine-parameters';
import { readRows } from './read-rows';
import { type ReadSession } from './read-session';
import { remembering } from '../recent';

const MAX_ROWS = 100_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ATTEMPTS = 4;

/** The query as the user sent it, and as it goes to the engine: its parameters beside it, or written out. */
export interface QueryText {
  readonly original: string;
  readonly text: string;
  readonly parameters: EngineParameters;
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
}

/**
 * Runs a reading statement and encodes its rows. When a value may have been rounded on its way out of the engine, the
 * query runs again with columns added that carry it exactly; the plan it answers makes the next time one run.
 */
export const runQuery = async (
  session: ReadSession,
  query: QueryText,
  graph: QueryGraph,
  known: KnownPlan,
): Promise<Either<StatementFailure, AnswerWithPlan>> => {
  const shape = shapeOf(query.text);
  let { plan, columns } = known;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const exactText = plan.size === 0 ? query.text : withExactColumns(query.text, shape, plan, columns);
    if (exactText === null) break;
    const text = shape.limited ? exactText : `${exactText} LIMIT ${MAX_ROWS + 1}`;
    const result = await session.run(text, query.parameters);
    if (isLeft(result)) return result;
    const total = result.right.getNumTuples();
    columns = ownColumns(result.right.getColumnNamesSync(), result.right.getColumnDataTypesSync(), plan);
    const rows: RawRow[] = [];
    await readRows(result.right, MAX_ROWS, (row) => rows.push(row) > 0);
    await resolveIds(rows, columns, graph.ids, session);
    const encoded = await encodeRows(rows, columns, plan, graph.context, MAX_BYTES);
    if (encoded.needs.size > 0) {
      plan = mergePlans(plan, encoded.needs);
      continue;
    }
    const answer: GraphAnswer = {
      columns: columnNames(columns, query),
      columnTypes: columns.map(({ type }) => answerTypeName(type)),
      rowsJson: `[${encoded.rows.join(',')}]`,
      rowCount: encoded.rows.length,
      truncated: encoded.rows.length < total,
    };
    return right({ answer, plan: { plan, columns } });
  }
  const names = [...plan.keys()].map((index) => columns[index]?.name ?? `column ${index + 1}`);
  const message =
    `${names.join(', ')}: the engine cannot return these values without rounding them. Return the properties as columns ` +
    'of their own instead of inside maps, name the columns instead of using several *, or cast them to STRING.';
  return left({ kind: 'refused', message });
};

const shapeOf = remembering((text: string): ResultShape => {
  const tokens = cypherTokens(text);
  if (isLeft(tokens)) return { projections: [], limited: true };
  const explained = ['EXPLAIN', 'PROFILE'].includes(tokens.right[0]?.upper ?? '');
  return explained ? { projections: [], limited: true } : resultShape(tokens.right);
});

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
const columnNames = (columns: readonly ResultColumn[], query: QueryText): readonly string[] => {
  if (parameterNames(query.original).length === 0) return columns.map(({ name }) => name);
  const items = shapeOf(query.original).projections[0]?.items ?? [];
  if (items.length !== columns.length) return columns.map(({ name }) => name);
  return columns.map(({ name }, index) => {
    const item = items[index];
    const parameterized = item?.expression.some(({ kind }) => kind === 'parameter') ?? false;
    return item === undefined || item.aliased || !parameterized ? name : expressionText(query.original, item);
  });
};
