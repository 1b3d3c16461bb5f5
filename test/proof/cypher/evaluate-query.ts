import { withKeptNames } from '../../../pod/graph/engine/cypher/kept-names';
import { withListedStars } from '../../../pod/graph/engine/cypher/listed-stars';
import { parseStatement } from '../../../pod/graph/engine/cypher/parse-statement';
import { QueryFault } from '../../../pod/graph/engine/cypher/query-fault';
import { type Context } from '../../../pod/graph/engine/evaluate/context';
import { contextOf, tableOf } from '../../../pod/graph/engine/evaluate/evaluate-clauses';
import { EvaluationFault } from '../../../pod/graph/engine/evaluate/evaluation-fault';
import { type Graph, type Value, type ValueMap } from '../../../pod/graph/engine/evaluate/values';
import { matchedRows, patternValue } from './match-paths';

const MAX_STEPS = 500_000;

/** What openCypher answers to a query. */
export type Evaluated =
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly (readonly Value[])[] }
  /** `error`: openCypher raises an error; the others: its answer is unknown. */
  | { readonly kind: 'fault'; readonly fault: EvaluationFault['kind']; readonly message: string };

/** Evaluates a query by exhaustive search. */
export const evaluateQuery = (
  text: string,
  graph: Graph,
  parameters: ValueMap = new Map(),
  maxSteps = MAX_STEPS,
  walks = false,
): Evaluated => {
  try {
    const query = withListedStars(withKeptNames(parseStatement(text).query));
    const { columns, rows } = tableOf(query, new Map(), contextIn(graph, text, parameters, maxSteps, walks));
    return { kind: 'rows', columns, rows: rows.map((row) => columns.map((column) => row.get(column) ?? null)) };
  } catch (error) {
    if (error instanceof QueryFault) return { kind: 'fault', fault: 'error', message: error.message };
    if (error instanceof EvaluationFault) return { kind: 'fault', fault: error.kind, message: error.message };
    throw error;
  }
};

/** The context in which queries of a graph are evaluated. */
export const contextIn = (
  graph: Graph,
  text: string,
  parameters: ValueMap = new Map(),
  maxSteps = MAX_STEPS,
  walks = false,
): Context => ({
  ...contextOf(text, parameters, maxSteps),
  match: (clause, row, context) => matchedRows(clause, row, { ...context, graph, walks }),
  pattern: (value, row, context) => patternValue(value, row, { ...context, graph, walks }),
});
