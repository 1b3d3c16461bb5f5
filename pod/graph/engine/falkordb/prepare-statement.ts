import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery, refusing } from '../cypher/analyse-query';
import { checkRowCounts } from '../cypher/row-counts';
import { foldConstants } from '../evaluate/fold-constants';
import { type GraphQuery, type QueryFailure } from '../graph-engine';
import { parameterLine } from './parameter-line';
import { isTime } from './query-preparation';
import { type QueryGraph } from './query-rows';

/** A query as it is sent to the server. */
export interface Statement {
  readonly analysed: AnalysedQuery;
  readonly command: 'GRAPH.RO_QUERY' | 'GRAPH.EXPLAIN' | 'GRAPH.PROFILE';
  /** With its parameters before it. */
  readonly text: string;
  /** Maps a position in the sent text to the offset in the text of the user; the column counts bytes. */
  readonly offsetOf: (line: number, column: number) => number;
}

/** Prints a query for the server, or returns why it is rejected. */
export const prepareStatement = (
  query: GraphQuery,
  { schema, preparation }: Pick<QueryGraph, 'schema' | 'preparation'>,
): Either<QueryFailure, Statement> => {
  const analysis = preparation.analyse(query.text);
  if (isLeft(analysis)) return left({ kind: 'rejected', ...analysis.left });
  const analysed = analysis.right;
  const { query: folded, names, parameters } = foldConstants(analysed, query.parameters);
  const sendable = names.filter((name) => !isTime(parameters[name]));
  const counted = refusing(query.text, () => {
    if (/skip|offset|limit/i.test(query.text)) checkRowCounts(folded, parameters);
  });
  if (isLeft(counted)) return left({ kind: 'rejected', ...counted.left });
  const line = parameterLine([...analysed.parameters, ...sendable], parameters);
  if (isLeft(line)) return left({ kind: 'rejected', message: line.left, position: null });
  const prepared = preparation.prepare({ ...query, parameters, folded }, schema);
  if (isLeft(prepared)) return left({ kind: 'rejected', ...prepared.left });
  const sent = prepared.right;
  const offsetOf = (lineNumber: number, column: number): number =>
    sent.originalOffset(offsetAt(sent.text, lineNumber, column));
  return right({ analysed, command: commandOf(analysed), text: line.right + sent.text, offsetOf });
};

/** EXPLAIN and PROFILE are separate commands. */
const commandOf = ({ explain }: AnalysedQuery): Statement['command'] => {
  if (explain === null) return 'GRAPH.RO_QUERY';
  return explain === 'PROFILE' ? 'GRAPH.PROFILE' : 'GRAPH.EXPLAIN';
};

const offsetAt = (text: string, line: number, column: number): number => {
  const lines = text.split('\n');
  const before = Buffer.from(lines[line - 1] ?? '').subarray(0, column - 1);
  return [...lines.slice(0, line - 1), before.toString()].join('\n').length;
};
