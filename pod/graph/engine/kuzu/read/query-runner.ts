import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer } from '../../graph-engine';
import { columnTitles } from '../../query/result-shape';
import { thrownFailure, type Connection, type StatementFailure } from '../binding/binding';
import { parseKuzuType } from '../binding/kuzu-type';
import { type SentQuery } from '../query/sent-query';
import { exactColumns, mergePlans, type ExactPlan, type ResultColumn } from './exact-columns';
import { readAnswer, readExport, type KuzuExport, type QueryGraph, type ReadResult } from './read-result';
import { ReadSession, ReadSessions } from './read-sessions';

/** What a query needed to be exact the last time, and its columns. */
interface KnownPlan {
  readonly plan: ExactPlan;
  readonly columns: readonly ResultColumn[];
}

const NO_PLAN: KnownPlan = { plan: new Map(), columns: [] };
const MAX_ATTEMPTS = 4;

/** Runs queries, each in a session of its own. */
export class QueryRunner {
  /** By the text of the user. */
  readonly #plans = new LRUCache<string, KnownPlan>({
    max: 500,
    maxSize: 250_000,
    sizeCalculation: (_, text) => text.length + 1,
  });
  readonly #sessions: ReadSessions;

  /** `writes`: how many times the graph was written to; `graphOf`: what values are encoded with. */
  constructor(
    connect: () => Promise<Connection>,
    writes: () => number,
    private readonly graphOf: (connection: Connection) => Promise<QueryGraph>,
  ) {
    this.#sessions = new ReadSessions(async () => ReadSession.open(await connect(), writes));
  }

  async answer(query: SentQuery): Promise<Either<StatementFailure, GraphAnswer>> {
    const session = await this.#sessions.take();
    try {
      return await this.#read(session, query, readAnswer);
    } finally {
      await this.#sessions.giveBack(session);
    }
  }

  /** All rows of a query; its session is taken until they are closed. */
  async openExport(query: SentQuery, format: ExportFormat): Promise<Either<StatementFailure, KuzuExport>> {
    const session = await this.#sessions.take();
    const opened = await this.#read(session, query, readExport(format));
    if (isLeft(opened)) {
      await this.#sessions.giveBack(session);
      return opened;
    }
    const close = (): void => {
      opened.right.close();
      void this.#sessions.giveBack(session);
    };
    return right({ ...opened.right, close });
  }

  /** Runs an action while no query does, unless a query does not end within `waitMs`. */
  whileNoneRuns(waitMs: number, action: () => Promise<void>): Promise<void> {
    return this.#sessions.whileNoneIsTaken(waitMs, action);
  }

  async #read<A>(session: ReadSession, query: SentQuery, read: ReadResult<A>): Promise<Either<StatementFailure, A>> {
    session.connection.setQueryTimeout(query.timeoutMs);
    try {
      const answer = await this.#runAsKnown(session, query, read);
      return isLeft(answer) ? left(await withUserPosition(session.connection, query.text, answer.left)) : answer;
    } catch (error) {
      return left(thrownFailure(error));
    }
  }

  async #runAsKnown<A>(
    session: ReadSession,
    query: SentQuery,
    read: ReadResult<A>,
  ): Promise<Either<StatementFailure, A>> {
    const graph = await this.graphOf(session.connection);
    const run = (plan: KnownPlan) => session.readOnly(() => this.#run(session, query, graph, plan, read));
    const known = this.#plans.get(query.text);
    let answer = await run(known ?? NO_PLAN);
    // Other parameters may give the columns other types than the remembered ones.
    if (isLeft(answer) && known !== undefined) answer = await run(NO_PLAN);
    return answer;
  }

  /**
   * Runs a reading statement and reads its rows. When the binding may have rounded a value, the query runs again with
   * columns added that carry it exactly; with the plan that is remembered, the next time takes one run.
   */
  async #run<A>(
    session: ReadSession,
    query: SentQuery,
    graph: QueryGraph,
    known: KnownPlan,
    read: ReadResult<A>,
  ): Promise<Either<StatementFailure, A>> {
    let { plan, columns } = known;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const added = plan.size === 0 ? [] : exactColumns(query.returns, plan, columns);
      if (added === null) break;
      const text = query.pieces.map((piece, index) => piece + (added[index] ?? '')).join('');
      const result = await session.run(text, query.parameters, query.skipsBlocks);
      if (isLeft(result)) return result;
      columns = ownColumns(result.right.getColumnNamesSync(), result.right.getColumnDataTypesSync(), plan);
      const engineNames = columns.map(({ name }) => name);
      const names = columnTitles(query.returns[0] ?? [], engineNames);
      const opened = { result: result.right, columns, names, plan, graph, connection: session.connection };
      const answer = await read(opened).catch((error: unknown) => left(thrownFailure(error)));
      if (!isLeft(answer)) {
        if (plan.size > 0) this.#plans.set(query.text, { plan, columns });
        else this.#plans.delete(query.text);
        return answer;
      }
      result.right.close();
      if (answer.left.kind !== 'inexact') return left(answer.left);
      plan = mergePlans(plan, answer.left.needs);
    }
    const names = [...plan.keys()].map((index) => columns[index]?.name ?? `column ${index + 1}`);
    const message =
      `${names.join(', ')}: these values would be rounded. Return the properties as separate columns ` +
      'instead of inside maps, name the columns instead of using several *, or cast them to STRING.';
    return left({ kind: 'rejected', message, position: null });
  }
}

/** The query's columns without those that a plan added after them. */
const ownColumns = (names: readonly string[], types: readonly string[], plan: ExactPlan): readonly ResultColumn[] => {
  const added = [...plan.values()].reduce((sum, need) => sum + (need === 'whole' ? 1 : need.size), 0);
  return names
    .slice(0, names.length - added)
    .map((name, index) => ({ name, type: parseKuzuType(types[index] ?? 'STRING') }));
};

/** The engine's error for the text without edits, so that its position fits what the user sent. */
const withUserPosition = async (
  connection: Connection,
  text: string,
  failure: StatementFailure,
): Promise<StatementFailure> => {
  if (failure.kind === 'rejected' || !failure.message.startsWith('Parser exception')) return failure;
  const statement = await connection.prepare(text);
  return statement.isSuccess() ? failure : { ...failure, message: statement.getErrorMessage() };
};
