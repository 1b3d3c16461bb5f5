import { type Connection } from './binding';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { MAX_ROWS } from '../answer-limits';
import { type GraphAnswer, type GraphQuery, type QueryFailure } from '../graph-engine';
import { type AnalysedQuery } from '../query/analyse-query';
import { createQueryCache } from '../query/query-cache';
import { rowsToFilter } from './constant-filter';
import { isParserError, queryFailure, thrownFailure, type StatementFailure } from './kuzu-error';
import { analyseKuzuQuery } from './kuzu-query';
import { labelEdits } from './label-functions';
import { engineParameters, parametersAsLiterals } from './parameters';
import { readAnswer } from './read-answer';
import { readExport, type KuzuExport } from './read-export';
import { type ReadSession } from './read-session';
import { renamedCounts } from './renamed-counts';
import { NO_PLAN, runQuery, type KnownPlan, type KuzuQuery, type QueryGraph, type ReadResult } from './run-query';
import { renamedTables } from './renamed-tables';
import { skipsRightBlocks } from './skipped-blocks';
import { type TextEdit } from '../query/text-edits';

/** What is known of a text: from its words, and from the times it ran. */
interface KnownText {
  readonly analysed: AnalysedQuery;
  /** What the engine has other words for. */
  readonly edits: readonly TextEdit[];
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
    skipsBlocks: skipsRightBlocks(analysed),
    plan: NO_PLAN,
    needsLiterals: false,
  };
};

/** Answers queries, each in a session of its own. The pod limits how many come at once. */
export class QueryAnswerer {
  readonly #texts = createQueryCache(knownText);
  readonly #idle: ReadSession[] = [];

  /** `graphOf`: what values are encoded with. */
  constructor(
    private readonly openSession: () => Promise<ReadSession>,
    private readonly graphOf: (connection: Connection) => Promise<QueryGraph>,
  ) {}

  async answer(query: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> {
    const session = await this.#takeSession();
    try {
      return await this.#ask(session, query, { read: readAnswer, mostRows: MAX_ROWS });
    } finally {
      this.#idle.push(session);
    }
  }

  /** All rows of a query; its session is taken until they are closed. */
  async openExport(query: GraphQuery, format: ExportFormat): Promise<Either<QueryFailure, KuzuExport>> {
    const session = await this.#takeSession();
    const opened = await this.#ask(session, query, { read: readExport(format), mostRows: null });
    if (isLeft(opened)) {
      this.#idle.push(session);
      return opened;
    }
    const close = (): void => {
      opened.right.close();
      this.#idle.push(session);
    };
    return right({ ...opened.right, close });
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
    const idle = this.#idle.pop();
    if (idle?.isFull() === false) return idle;
    await idle?.close();
    return this.openSession();
  }

  /** With the parameters beside the text where the binding can carry them: then the engine parses a text once. */
  async #answerWithParameters<A>(
    session: ReadSession,
    known: KnownText,
    parameters: GraphQuery['parameters'],
    { read, mostRows }: Reading<A>,
  ): Promise<Either<StatementFailure, A>> {
    const { analysed, edits, skipsBlocks } = known;
    if (TRANSACTION_WORDS.has(analysed.tokens[analysed.start]?.upper ?? '')) {
      return left({ kind: 'refused', message: 'Queries cannot begin or end transactions.' });
    }
    const carried = known.needsLiterals ? null : engineParameters(analysed.parameters, parameters);
    if (carried !== null) {
      const query = { analysed, edits, parameters: carried, skipsBlocks, mostRows };
      const answered = await this.#run(session, known, query, read);
      const mayNeedLiterals = isLeft(answered) && answered.left.kind === 'not_compiled';
      if (!mayNeedLiterals || analysed.parameters.length === 0) return answered;
    }
    const literals = parametersAsLiterals(analysed, parameters);
    if (isLeft(literals)) return left({ kind: 'refused', message: literals.left });
    const query = {
      analysed,
      edits: [...edits, ...literals.right],
      parameters: {},
      skipsBlocks: skipsBlocks && !literals.right.some(({ words }) => FRACTION.test(words)),
      mostRows,
    };
    const answered = await this.#run(session, known, query, read);
    if (carried !== null && !isLeft(answered)) known.needsLiterals = true;
    return answered;
  }

  async #run<A>(
    session: ReadSession,
    known: KnownText,
    asked: KuzuQuery,
    read: ReadResult<A>,
  ): Promise<Either<StatementFailure, A>> {
    const graph = await this.graphOf(session.connection);
    const { analysed, edits } = asked;
    const { names } = graph;
    const query = {
      ...asked,
      edits: [...edits, ...renamedTables(analysed, names), ...labelEdits(analysed, names)],
      skipsBlocks: asked.skipsBlocks && graph.skipsBlocks,
    };
    const { plan } = known;
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
  readonly mostRows: number | null;
}

const TRANSACTION_WORDS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
/** A number in a literal that is, or may be, no whole one; also found inside strings. */
const FRACTION = /\d[.e]/;

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
