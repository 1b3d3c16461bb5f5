import { type Connection } from '../binding/binding';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { MAX_ROWS } from '../../answer-limits';
import { type GraphAnswer, type GraphQuery, type QueryFailure } from '../../graph-engine';
import { type AnalysedQuery } from '../../query/analyse-query';
import { positionAt } from '../../query/cypher-tokens';
import { createQueryCache } from '../../query/query-cache';
import { rowsToFilter } from '../send/constant-filter';
import { isParserError, queryFailure, refused, thrownFailure, type StatementFailure } from '../binding/kuzu-error';
import { analyseKuzuQuery } from '../analyse/analyse-kuzu-query';
import { labelEdits } from '../analyse/label-functions';
import { sentParameters, type SentParameters } from '../send/parameters';
import { readAnswer, readExport, type KuzuExport } from '../read/read-result';
import { type ReadSession } from '../send/read-session';
import { renamedCounts } from '../send/renamed-counts';
import { NO_PLAN, runQuery, type KnownPlan, type KuzuQuery, type QueryGraph, type ReadResult } from '../read/run-query';
import { renamedTables } from '../send/renamed-tables';
import { skipsRightBlocks } from '../send/skipped-blocks';
import { type TextEdit } from '../../query/text-edits';
import { MAX_WRITTEN_ITEMS, writtenItems, type WrittenItems } from '../send/written-items';

/** What is known of a text: from its words, and from the times it ran. */
interface KnownText {
  readonly analysed: AnalysedQuery;
  /** What the engine has other words for. */
  readonly edits: readonly TextEdit[];
  readonly written: WrittenItems;
  readonly skipsBlocks: boolean;
  plan: KnownPlan;
  /** The engine takes its parameters only as literals. */
  needsLiterals: boolean;
}

const knownText = (text: string): KnownText => {
  const analysed = analyseKuzuQuery(text);
  return {
    analysed,
    edits: [...rowsToFilter(analysed), ...renamedCounts(analysed)],
    written: writtenItems(analysed.tokens),
    skipsBlocks: skipsRightBlocks(analysed),
    plan: NO_PLAN,
    needsLiterals: false,
  };
};

/** Answers queries, each in a session of its own. The pod limits how many come at once. */
export class QueryAnswerer {
  readonly #texts = createQueryCache(knownText);
  readonly #idle: ReadSession[] = [];
  /** Sessions that are taken, or being opened for a query. */
  #taken = 0;
  /** Pending while no query may begin. */
  #pause: Promise<void> | null = null;
  #onGivenBack: () => void = () => undefined;

  /** `graphOf`: what values are encoded with. */
  constructor(
    private readonly openSession: () => Promise<ReadSession>,
    private readonly graphOf: (connection: Connection) => Promise<QueryGraph>,
  ) {}

  async answer(query: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> {
    const session = await this.#takeSession();
    try {
      return await this.#ask(session, query, { read: readAnswer, maxRows: MAX_ROWS });
    } finally {
      await this.#giveBack(session);
    }
  }

  /** All rows of a query; its session is taken until they are closed. */
  async openExport(query: GraphQuery, format: ExportFormat): Promise<Either<QueryFailure, KuzuExport>> {
    const session = await this.#takeSession();
    const opened = await this.#ask(session, query, { read: readExport(format), maxRows: null });
    if (isLeft(opened)) {
      await this.#giveBack(session);
      return opened;
    }
    const close = (): void => {
      opened.right.close();
      void this.#giveBack(session);
    };
    return right({ ...opened.right, close });
  }

  /**
   * Runs an action while no query does and no transaction is open; those that come meanwhile wait. False, and nothing
   * was run, when a query did not end within `waitMs`.
   */
  async whileNoneRuns(waitMs: number, action: () => Promise<void>): Promise<boolean> {
    let resume: () => void = () => undefined;
    this.#pause = new Promise((resolve) => (resume = resolve));
    try {
      if (!(await this.#untilAllAreBack(waitMs))) return false;
      await Promise.all(this.#idle.splice(0).map((session) => session.close()));
      await action();
      return true;
    } finally {
      this.#pause = null;
      resume();
    }
  }

  async #untilAllAreBack(waitMs: number): Promise<boolean> {
    if (this.#taken === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), waitMs)));
    const allAreBack = new Promise<boolean>((resolve) => {
      this.#onGivenBack = () => {
        if (this.#taken === 0) resolve(true);
      };
    });
    return Promise.race([allAreBack, late]).finally(() => clearTimeout(timer));
  }

  async #ask<A>(
    session: ReadSession,
    { text, parameters, timeoutMs }: GraphQuery,
    reading: Reading<A>,
  ): Promise<Either<QueryFailure, A>> {
    session.connection.setQueryTimeout(timeoutMs);
    const known = this.#texts(text);
    const answered = await this.#answerWithParameters(session, known, parameters, reading).catch((error: unknown) =>
      left(thrownFailure(error)),
    );
    if (!isLeft(answered)) return answered;
    const failure = await asWritten(session.connection, known.analysed.text, answered.left);
    return left(queryFailure(failure, timeoutMs));
  }

  async #takeSession(): Promise<ReadSession> {
    while (this.#pause !== null) await this.#pause;
    this.#taken += 1;
    try {
      const session = this.#idle.pop() ?? (await this.openSession());
      session.takenAtMs = performance.now();
      return session;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** A statement that took long gains nothing from being kept, and may hold large values the engine computed for it. */
  async #giveBack(session: ReadSession): Promise<void> {
    try {
      if (session.isFull() || performance.now() - session.takenAtMs > LONG_MS) await session.close();
      else this.#idle.push(session);
    } finally {
      this.#release();
    }
  }

  #release(): void {
    this.#taken -= 1;
    this.#onGivenBack();
  }

  /** With the parameters beside the text where that is possible: then the engine parses a text once. */
  async #answerWithParameters<A>(
    session: ReadSession,
    known: KnownText,
    parameters: GraphQuery['parameters'],
    reading: Reading<A>,
  ): Promise<Either<StatementFailure, A>> {
    const { analysed, written } = known;
    if (TRANSACTION_WORDS.has(analysed.tokens[analysed.start]?.upper ?? '')) {
      return left(refused('Queries cannot begin or end transactions.'));
    }
    if (written.excessAt !== null) return left(refused(TOO_MANY_ITEMS, positionAt(analysed.text, written.excessAt)));
    const sent = sentParameters(analysed, written, parameters, known.needsLiterals);
    if (isLeft(sent)) return sent;
    const answered = await this.#run(session, known, sent.right, reading);
    const mayNeedLiterals = isLeft(answered) && answered.left.kind === 'not_compiled';
    if (!mayNeedLiterals || Object.keys(sent.right.beside).length === 0) return answered;
    const literals = sentParameters(analysed, written, parameters, true);
    if (isLeft(literals)) return literals;
    const answeredThen = await this.#run(session, known, literals.right, reading);
    if (!isLeft(answeredThen)) known.needsLiterals = true;
    return answeredThen;
  }

  async #run<A>(
    session: ReadSession,
    known: KnownText,
    { edits, beside, addFractions }: SentParameters,
    { read, maxRows }: Reading<A>,
  ): Promise<Either<StatementFailure, A>> {
    const graph = await this.graphOf(session.connection);
    const { analysed, plan } = known;
    const query: KuzuQuery = {
      analysed,
      edits: [...known.edits, ...edits, ...renamedTables(analysed, graph.names), ...labelEdits(analysed, graph.names)],
      parameters: beside,
      skipsBlocks: known.skipsBlocks && graph.skipsBlocks && !addFractions,
      maxRows,
    };
    let result = await session.readOnly(() => runQuery(session, query, graph, plan, read));
    // Other parameters may give the columns other types than the remembered ones.
    if (isLeft(result) && plan !== NO_PLAN) {
      result = await session.readOnly(() => runQuery(session, query, graph, NO_PLAN, read));
    }
    if (isLeft(result)) return result;
    known.plan = result.right.plan;
    return right(result.right.answer);
  }
}

/** What is wanted of a query. */
interface Reading<A> {
  readonly read: ReadResult<A>;
  readonly maxRows: number | null;
}

const TRANSACTION_WORDS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
const LONG_MS = 100;
const TOO_MANY_ITEMS = `A query takes ${MAX_WRITTEN_ITEMS} items of lists, maps and calls, and here is one more. Send a long list as a parameter.`;

/** The failure of the text as the user wrote it, whose positions fit. */
const asWritten = async (
  connection: Connection,
  text: string,
  failure: StatementFailure,
): Promise<StatementFailure> => {
  if (!isParserError(failure)) return failure;
  const statement = await connection.prepare(text);
  return statement.isSuccess() ? failure : { ...failure, message: statement.getErrorMessage() };
};
