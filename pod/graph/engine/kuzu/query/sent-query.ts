import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery, refusing } from '../../cypher/analyse-query';
import { number } from '../../cypher/build';
import { itemTitles } from '../../cypher/column-titles';
import { type PrintedQuery, printQuery } from '../../cypher/print-query';
import { type Dialect } from '../../cypher/query-writer';
import { type Query } from '../../cypher/tree';
import { type Literals, withLiterals } from '../../cypher/query-preparation';
import { MAX_ROWS, type GraphQuery, type QueryFailure } from '../../graph-engine';
import { type GraphSchema } from '../../graph-schema';
import { KUZU_DIALECT } from '../dialect';
import { hasFraction, skipsRightBlocks } from '../quirks/skipped-blocks';
import { type ExactColumns, type ExactPlan } from '../binding/exact-plan';
import { withExactColumns } from './exact-columns';
import { sentParameters, type EngineParameters } from './parameters';

/** A query as sent to the engine's process. */
export interface SentQuery {
  readonly text: string;
  /** The titles of its items; null for a `*`. */
  readonly titles: readonly (string | null)[];
  /** The columns added at the end. */
  readonly plan: ExactPlan;
  /** The bound parameters. */
  readonly parameters: EngineParameters;
  /** Whether the engine may skip blocks of tables. */
  readonly skipsBlocks: boolean;
  readonly timeoutMs: number;
}

/** The data sent for a query, and the map from positions in the sent text to offsets in the text of the user. */
export interface Sending {
  readonly sent: SentQuery;
  readonly offsetOf: (line: number, column: number) => number;
}

/** The requested rows: those of an answer, which has a limit, or all. */
export type WantedRows = 'of an answer' | 'all';

/** Cures, and values of parameters, which may be 64 levels deep, add brackets to a text whose depth was checked. */
const SENT: Dialect = { ...KUZU_DIALECT, nesting: { ...KUZU_DIALECT.nesting, maxDepth: 100 } };

export const NOTHING_EXACT: ExactColumns = { plan: new Map(), columns: [] };

/** The rewritten query for one schema, and data learnt from its runs. */
export class KuzuQuery {
  /** The engine accepts its parameters only as literals. */
  needsLiterals = false;
  /** The columns that its last run needed. */
  exact = NOTHING_EXACT;
  readonly #titles: readonly (string | null)[];
  readonly #skipsBlocks: boolean;
  readonly #printed = new WeakMap<ExactColumns, Either<QueryFailure, PrintedQuery>>();

  /** `cured`: the query with the cures of the engine's quirks. */
  constructor(
    readonly analysed: AnalysedQuery,
    private readonly cured: Query,
    schema: GraphSchema,
  ) {
    this.#titles = itemTitles(analysed.text, analysed.query);
    this.#skipsBlocks = skipsRightBlocks(analysed.query, schema);
  }

  get hasParameters(): boolean {
    return this.analysed.parameters.length > 0;
  }

  /** Prints the query for the engine. `writeAll`: all parameters as literals. */
  sending(
    { parameters, timeoutMs }: GraphQuery,
    rows: WantedRows,
    exact: ExactColumns,
    writeAll: boolean,
  ): Either<QueryFailure, Sending> {
    const values = sentParameters(this.analysed, parameters, writeAll);
    if (isLeft(values)) return values;
    const { written, bound } = values.right;
    const printed = rows === 'all' || written.size > 0 ? this.#print(exact, rows, written) : this.#printOnce(exact);
    if (isLeft(printed)) return printed;
    const { text, originalOffset } = printed.right;
    const sent = {
      text,
      titles: this.#titles,
      plan: exact.plan,
      parameters: bound,
      skipsBlocks: this.#skipsBlocks && ![...written.values()].some(hasFraction),
      timeoutMs,
    };
    return right({ sent, offsetOf: (line, column) => originalOffset(offsetAt(text, line, column)) });
  }

  #printOnce(exact: ExactColumns): Either<QueryFailure, PrintedQuery> {
    const known = this.#printed.get(exact);
    if (known !== undefined) return known;
    const printed = this.#print(exact, 'of an answer', new Map());
    this.#printed.set(exact, printed);
    return printed;
  }

  #print(exact: ExactColumns, rows: WantedRows, written: Literals): Either<QueryFailure, PrintedQuery> {
    const { text, explain } = this.analysed;
    const query = exact.plan.size === 0 ? this.cured : withExactColumns(this.cured, exact);
    if (query === null) return left({ kind: 'rejected', message: roundedMessage(exact), position: null });
    const wanted = rows === 'all' || explain !== null ? query : withLimit(query);
    const printed = refusing(text, () => printQuery(withLiterals(wanted, written), SENT));
    if (isLeft(printed)) return left({ kind: 'rejected', ...printed.left });
    const prefix = explain === null ? '' : `${explain} `;
    const { originalOffset } = printed.right;
    return right({
      text: prefix + printed.right.text,
      originalOffset: (offset) => originalOffset(offset - prefix.length),
    });
  }
}

/** The engine needs to compute only one row more than the limit of answers. */
const withLimit = (query: Query): Query => {
  const [clauses = [], ...others] = query.parts;
  const last = clauses.at(-1);
  if (others.length > 0 || last?.kind !== 'return' || last.limit !== null) return query;
  return { ...query, parts: [[...clauses.slice(0, -1), { ...last, limit: number(`${MAX_ROWS + 1}`, last) }]] };
};

/** `column`: in characters, from 0. */
const offsetAt = (text: string, line: number, column: number): number => {
  const lines = text.split('\n');
  const before = [...(lines[line - 1] ?? '')].slice(0, column).join('');
  return [...lines.slice(0, line - 1), before].join('\n').length;
};

export const roundedMessage = ({ plan, columns }: ExactColumns): string => {
  const names = [...plan.keys()].map((index) => columns[index]?.name ?? `column ${index + 1}`);
  return (
    `${names.join(', ')}: these values would be rounded. Return the properties as separate columns ` +
    'instead of inside maps, name the columns instead of using several *, or cast them to STRING.'
  );
};
