import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer } from '../../graph-engine';
import { titlesOf } from '../../cypher/column-titles';
import { thrownFailure, type Connection, type StatementFailure } from '../binding/binding';
import { parseKuzuType } from '../binding/kuzu-type';
import { type SentQuery } from '../query/sent-query';
import { addedColumns, type ResultColumn } from '../binding/exact-plan';
import { readAnswer, readExport, type KuzuExport, type QueryGraph, type ReadResult } from './read-result';
import { ReadSession, ReadSessions } from './read-sessions';

/** Runs queries, each in its own session. */
export class QueryRunner {
  readonly #sessions: ReadSessions;

  /** `writes`: number of writes to the graph; `graphOf`: the context for encoding values. */
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
      await this.#sessions.release(session);
    }
  }

  /** All rows of a query; its session is in use until they are closed. */
  async openExport(query: SentQuery, format: ExportFormat): Promise<Either<StatementFailure, KuzuExport>> {
    const session = await this.#sessions.take();
    const opened = await this.#read(session, query, readExport(format));
    if (isLeft(opened)) {
      await this.#sessions.release(session);
      return opened;
    }
    const close = (): void => {
      opened.right.close();
      void this.#sessions.release(session);
    };
    return right({ ...opened.right, close });
  }

  /** Runs an action while no query runs; skips it if a query does not end within `waitMs`. */
  runExclusively(waitMs: number, action: () => Promise<void>): Promise<void> {
    return this.#sessions.runExclusively(waitMs, action);
  }

  async #read<A>(session: ReadSession, query: SentQuery, read: ReadResult<A>): Promise<Either<StatementFailure, A>> {
    session.connection.setQueryTimeout(query.timeoutMs);
    try {
      const graph = await this.graphOf(session.connection);
      return await session.readOnly(() => run(session, query, graph, read));
    } catch (error) {
      return left(thrownFailure(error));
    }
  }
}

/** Runs a reading statement and reads its rows. */
const run = async <A>(
  session: ReadSession,
  { text, titles, plan, parameters, skipsBlocks }: SentQuery,
  graph: QueryGraph,
  read: ReadResult<A>,
): Promise<Either<StatementFailure, A>> => {
  const ran = await session.run(text, parameters, skipsBlocks);
  if (isLeft(ran)) return ran;
  const result = ran.right;
  const columns = ownColumns(result.getColumnNamesSync(), result.getColumnDataTypesSync(), addedColumns(plan));
  const names = titlesOf(
    titles,
    columns.map(({ name }) => name),
  );
  const opened = { result, columns, names, plan, graph, connection: session.connection };
  const answer = await read(opened).catch((error: unknown) => left(thrownFailure(error)));
  if (isLeft(answer)) result.close();
  return answer;
};

/** The query's columns without those that a plan added. */
const ownColumns = (names: readonly string[], types: readonly string[], added: number): readonly ResultColumn[] =>
  names.slice(0, names.length - added).map((name, index) => ({ name, type: parseKuzuType(types[index] ?? 'STRING') }));
