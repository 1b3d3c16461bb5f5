import { type Connection } from './binding';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GraphAnswer, type GraphQuery, type QueryFailure } from '../graph-engine';
import { analyseQuery, type AnalysedQuery } from '../query/analyse-query';
import { createQueryCache } from '../query/query-cache';
import { rowsToFilter } from './constant-filter';
import { isParserError, queryFailure, thrownFailure, type StatementFailure } from './kuzu-error';
import { engineParameters, parametersAsLiterals } from './parameters';
import { type ReadSession } from './read-session';
import { NO_PLAN, runQuery, type KnownPlan, type KuzuQuery, type QueryGraph } from './run-query';
import { renamedTables } from './renamed-tables';
import { skipsRightBlocks } from './skipped-blocks';
import { type TextEdit } from '../query/text-edits';
import { VOCABULARY } from './vocabulary';

/** What is known of a text: from its words, and from the times it ran. */
interface KnownText {
  readonly analysed: AnalysedQuery;
  readonly rows: readonly TextEdit[];
  readonly skipsBlocks: boolean;
  plan: KnownPlan;
  /** The engine takes its parameters only as literals. */
  needsLiterals: boolean;
}

const knownText = (text: string): KnownText => {
  const analysed = analyseQuery(text, VOCABULARY);
  return {
    analysed,
    rows: rowsToFilter(analysed),
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

  async answer({ text, parameters, timeoutMs }: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> {
    const session = await this.#takeSession();
    try {
      session.connection.setQueryTimeout(timeoutMs);
      const known = this.#texts(text);
      const answered = await this.#answerWithParameters(session, known, parameters).catch((error: unknown) =>
        left(thrownFailure(error)),
      );
      if (!isLeft(answered)) return answered;
      const failure = await asWritten(session.connection, known.analysed.text, answered.left);
      return left(queryFailure(failure, timeoutMs));
    } finally {
      this.#idle.push(session);
    }
  }

  async #takeSession(): Promise<ReadSession> {
    const idle = this.#idle.pop();
    if (idle?.isFull() === false) return idle;
    await idle?.close();
    return this.openSession();
  }

  /** With the parameters beside the text where the binding can carry them: then the engine parses a text once. */
  async #answerWithParameters(
    session: ReadSession,
    known: KnownText,
    parameters: GraphQuery['parameters'],
  ): Promise<Either<StatementFailure, GraphAnswer>> {
    const { analysed, rows, skipsBlocks } = known;
    if (TRANSACTION_WORDS.has(analysed.tokens[analysed.start]?.upper ?? '')) {
      return left({ kind: 'refused', message: 'Queries cannot begin or end transactions.' });
    }
    const carried = known.needsLiterals ? null : engineParameters(analysed.parameters, parameters);
    if (carried !== null) {
      const answered = await this.#run(session, known, { analysed, edits: rows, parameters: carried, skipsBlocks });
      const mayNeedLiterals = isLeft(answered) && answered.left.kind === 'not_compiled';
      if (!mayNeedLiterals || analysed.parameters.length === 0) return answered;
    }
    const literals = parametersAsLiterals(analysed, parameters);
    if (isLeft(literals)) return left({ kind: 'refused', message: literals.left });
    const answered = await this.#run(session, known, {
      analysed,
      edits: [...rows, ...literals.right],
      parameters: {},
      skipsBlocks: skipsBlocks && !literals.right.some(({ words }) => FRACTION.test(words)),
    });
    if (carried !== null && !isLeft(answered)) known.needsLiterals = true;
    return answered;
  }

  async #run(session: ReadSession, known: KnownText, asked: KuzuQuery): Promise<Either<StatementFailure, GraphAnswer>> {
    const graph = await this.graphOf(session.connection);
    const query = {
      ...asked,
      edits: [...asked.edits, ...renamedTables(asked.analysed, graph.names)],
      skipsBlocks: asked.skipsBlocks && graph.skipsBlocks,
    };
    const { plan } = known;
    let result = await session.readOnly(() => runQuery(session, query, graph, plan));
    // Other parameters may give the columns other types than the remembered ones.
    if (isLeft(result) && plan !== NO_PLAN) {
      result = await session.readOnly(() => runQuery(session, query, graph, NO_PLAN));
    }
    if (isLeft(result)) return result;
    known.plan = result.right.plan;
    return right(result.right.answer);
  }
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
