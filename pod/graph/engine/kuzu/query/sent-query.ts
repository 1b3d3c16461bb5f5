import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GraphQuery, type QueryFailure } from '../../graph-engine';
import { type GraphSchema } from '../../graph-schema';
import { type AnalysedQuery } from '../../query/analyse-query';
import { titledItem, type TitledItem } from '../../query/result-shape';
import { editedText } from '../../query/text-edits';
import { type StatementFailure } from '../binding/binding';
import { type TableNames } from '../load/table-names';
import { engineEdits, skipsRightBlocks } from './engine-edits';
import { sentParameters, type EngineParameters } from './parameters';

const TRANSACTION_WORDS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** A query as the engine's process gets it. */
export interface SentQuery {
  /** As the user wrote it. */
  readonly text: string;
  /** As the engine reads it, cut where the items of each RETURN of the result end: more columns fit there. */
  readonly pieces: readonly string[];
  /** The items of those RETURNs. */
  readonly returns: readonly (readonly ReturnedItem[])[];
  /** Those that are bound. */
  readonly parameters: EngineParameters;
  /** Whether the engine may skip blocks of tables. */
  readonly skipsBlocks: boolean;
  readonly timeoutMs: number;
}

export interface ReturnedItem extends TitledItem {
  /** As the engine reads it. */
  readonly expression: string;
}

/**
 * `maxRows`: the engine need not compute more rows than one above this number; null for all. `writeAll`: see
 * `sentParameters`.
 */
export const sentQuery = (
  query: AnalysedQuery,
  graph: { readonly schema: GraphSchema; readonly names: TableNames },
  { parameters, timeoutMs }: GraphQuery,
  maxRows: number | null,
  writeAll: boolean,
): Either<QueryFailure, SentQuery> => {
  if (TRANSACTION_WORDS.has(query.tokens[query.start]?.upper ?? '')) {
    return left({ kind: 'rejected', message: 'Queries cannot begin or end transactions.', position: null });
  }
  const sent = sentParameters(query, parameters, writeAll);
  if (isLeft(sent)) return sent;
  const { text, result } = query;
  const edits = [...engineEdits(query, graph.names), ...sent.right.edits];
  const ends = result.projections.map(({ itemsEnd }) => itemsEnd);
  const pieces = [...ends, text.length].map((end, index) => editedText(text, edits, ends[index - 1], end));
  const limit = result.limited || maxRows === null ? [] : [` LIMIT ${maxRows + 1}`];
  return right({
    text,
    pieces: [...pieces, ...limit],
    returns: result.projections.map((projection) =>
      projection.items.map((item) => {
        const { expression } = item;
        const edited = editedText(text, edits, expression[0]?.start, expression.at(-1)?.end);
        return { ...titledItem(text, item), expression: edited };
      }),
    ),
    parameters: sent.right.bound,
    skipsBlocks: skipsRightBlocks(query) && !hasNaN(graph.schema) && !sent.right.addFractions,
    timeoutMs,
  });
};

/** The bounds of a block, by which the engine skips it, are wrong if it contains NaN. */
const hasNaN = ({ nodeTables }: GraphSchema): boolean =>
  nodeTables.some(({ properties }) => properties.some(({ holds }) => holds?.includes('NaN') ?? false));

/** Translates the engine's message: parser messages contain the position, a timeout is `Interrupted.` */
export const queryFailure = (failure: StatementFailure | QueryFailure, timeoutMs: number): QueryFailure => {
  if (failure.kind !== 'not_compiled' && failure.kind !== 'failed') return failure;
  const { message: text } = failure;
  if (/^Interrupted\.?$/.test(text.trim())) return { kind: 'timeout', timeoutMs };
  if (text.startsWith('Buffer manager exception: Unable to allocate memory')) return { kind: 'memory' };
  const [, message = text, line, offset] = /^(.*?) ?\(line: (\d+), offset: (\d+)\)/s.exec(text) ?? [];
  const position = line === undefined ? null : { line: Number(line), column: Number(offset) + 1 };
  return { kind: 'rejected', message, position };
};
