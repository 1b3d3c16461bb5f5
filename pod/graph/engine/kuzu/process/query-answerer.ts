import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer, type GraphQuery, MAX_ROWS, type QueryFailure } from '../../graph-engine';
import { type AnalysedQuery, createQueryCache } from '../../query/analyse-query';
import { analyseKuzuQuery } from '../analyse/analyse-kuzu-query';
import {
  type Connection,
  isParserError,
  queryFailure,
  refused,
  thrownFailure,
  type StatementFailure,
} from '../binding/binding';
import { readAnswer, readExport, type KuzuExport } from '../read/read-result';
import { NO_PLAN, runQuery, type KnownPlan, type KuzuQuery, type QueryGraph, type ReadResult } from '../read/run-query';
import { engineEdits, skipsRightBlocks } from '../send/engine-edits';
import { sentParameters, writtenItems, type SentParameters, type WrittenItems } from '../send/parameters';
import { ReadSession, ReadSessions } from '../send/read-sessions';

/** What is known of a text: from its tokens, and from earlier runs. */
interface KnownText {
  readonly query: AnalysedQuery;
  readonly items: WrittenItems;
  readonly skipsBlocks: boolean;
  plan: KnownPlan;
  /** The engine accepts its parameters only as literals. */
  needsLiterals: boolean;
}

const knownText = (text: string): KnownText => {
  const query = analyseKuzuQuery(text);
  const items = writtenItems(query.tokens);
  return { query, items, skipsBlocks: skipsRightBlocks(query), plan: NO_PLAN, needsLiterals: false };
};

/** How a result is read. */
interface Reading<A> {
  readonly read: ReadResult<A>;
  readonly maxRows: number | null;
}

/** Answers queries, each in a session of its own. */
export class QueryAnswerer {
  readonly #texts = createQueryCache(knownText);
  readonly #sessions: ReadSessions;

  /** `writes`: how many times the graph was written to; `graphOf`: what values are encoded with. */
  constructor(
    connect: () => Promise<Connection>,
    writes: () => number,
    private readonly graphOf: (connection: Connection) => Promise<QueryGraph>,
  ) {
    this.#sessions = new ReadSessions(async () => ReadSession.open(await connect(), writes));
  }

  async answer(query: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> {
    const session = await this.#sessions.take();
    try {
      return await this.#read(session, query, { read: readAnswer, maxRows: MAX_ROWS });
    } finally {
      await this.#sessions.giveBack(session);
    }
  }

  /** All rows of a query; its session is taken until they are closed. */
  async openExport(query: GraphQuery, format: ExportFormat): Promise<Either<QueryFailure, KuzuExport>> {
    const session = await this.#sessions.take();
    const opened = await this.#read(session, query, { read: readExport(format), maxRows: null });
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

  async #read<A>(
    session: ReadSession,
    { text, parameters, timeoutMs }: GraphQuery,
    reading: Reading<A>,
  ): Promise<Either<QueryFailure, A>> {
    session.connection.setQueryTimeout(timeoutMs);
    const known = this.#texts(text);
    const answered = await this.#readWithParameters(session, known, parameters, reading).catch((error: unknown) =>
      left(thrownFailure(error)),
    );
    if (!isLeft(answered)) return answered;
    const failure = await withUserPositions(session.connection, known.query.text, answered.left);
    return left(queryFailure(failure, timeoutMs));
  }

  /** Binds parameters where that is possible: then the engine parses a text once. */
  async #readWithParameters<A>(
    session: ReadSession,
    known: KnownText,
    parameters: GraphQuery['parameters'],
    reading: Reading<A>,
  ): Promise<Either<StatementFailure, A>> {
    const { query, items } = known;
    if (TRANSACTION_WORDS.has(query.tokens[query.start]?.upper ?? '')) {
      return left(refused('Queries cannot begin or end transactions.'));
    }
    const sent = sentParameters(query, items, parameters, known.needsLiterals);
    if (isLeft(sent)) return sent;
    const answered = await this.#run(session, known, sent.right, reading);
    const mayNeedLiterals = isLeft(answered) && answered.left.kind === 'not_compiled';
    if (!mayNeedLiterals || Object.keys(sent.right.bound).length === 0) return answered;
    const literals = sentParameters(query, items, parameters, true);
    if (isLeft(literals)) return literals;
    const answeredThen = await this.#run(session, known, literals.right, reading);
    if (!isLeft(answeredThen)) known.needsLiterals = true;
    return answeredThen;
  }

  async #run<A>(
    session: ReadSession,
    known: KnownText,
    { edits, bound, addFractions }: SentParameters,
    { read, maxRows }: Reading<A>,
  ): Promise<Either<StatementFailure, A>> {
    const graph = await this.graphOf(session.connection);
    const { query, plan } = known;
    const sent: KuzuQuery = {
      query,
      edits: [...engineEdits(query, graph.names), ...edits],
      parameters: bound,
      skipsBlocks: known.skipsBlocks && graph.skipsBlocks && !addFractions,
      maxRows,
    };
    let result = await session.readOnly(() => runQuery(session, sent, graph, plan, read));
    // Other parameters may give the columns other types than the remembered ones.
    if (isLeft(result) && plan !== NO_PLAN) {
      result = await session.readOnly(() => runQuery(session, sent, graph, NO_PLAN, read));
    }
    if (isLeft(result)) return result;
    known.plan = result.right.plan;
    return right(result.right.answer);
  }
}

const TRANSACTION_WORDS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** The engine's error for the text without edits, so that its position fits what the user sent. */
const withUserPositions = async (
  connection: Connection,
  text: string,
  failure: StatementFailure,
): Promise<StatementFailure> => {
  if (!isParserError(failure)) return failure;
  const statement = await connection.prepare(text);
  return statement.isSuccess() ? failure : { ...failure, message: statement.getErrorMessage() };
};
