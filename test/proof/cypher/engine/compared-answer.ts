import { type Graph, isList, type Value, type ValueMap } from '../../../../pod/graph/engine/evaluate/values';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { type Evaluated, evaluateQuery } from '../evaluate-query';
import { rowsText } from '../rows-text';
import { askEngine } from './ask-engine';

export const OUTCOMES = ['right', 'wrong', 'refused', 'refused by the engine', 'crashed', 'unknown'] as const;
/** `unknown`: the evaluator has no answer. */
export type Outcome = (typeof OUTCOMES)[number];

export interface ComparedQuery {
  readonly text: string;
  readonly parameters: ValueMap;
  /** Whether the rows of the result are ordered. */
  readonly inOrder: boolean;
  /** Lists of collect() may have any order. */
  readonly anyOrderInLists: boolean;
  /** Limit of the evaluator; omitted: its own limit. */
  readonly maxSteps?: number;
}

export interface ComparedAnswer {
  readonly outcome: Outcome;
  /** The answer, and the expected one. */
  readonly lines: readonly string[];
}

/** How messages of an engine begin or end; they contain no advice. */
const RAW =
  /exception:|Unable to resolve|Type mismatch|Invalid input|expected rule|currently (?:only )?support|cannot read "|\(E-[0-9a-f]{8}\)/;

export const expectedAnswer = (graph: Graph, { text, parameters, maxSteps }: ComparedQuery): Evaluated =>
  evaluateQuery(text, graph, parameters, maxSteps);

/** The answer of an engine to a query, compared with that of the evaluator. */
export const comparedAnswer = async (
  engine: GraphEngine,
  expected: Evaluated,
  { text, parameters, ...order }: ComparedQuery,
): Promise<ComparedAnswer> => {
  const compared = (outcome: Outcome, ...lines: readonly string[]): ComparedAnswer => ({
    outcome,
    lines: lines.map((line) => line.replaceAll('\n', ' / ').slice(0, 300)),
  });
  if (expected.kind === 'fault') return compared('unknown', expected.message);
  const answer = await askEngine(engine, text, parameters);
  if (answer.kind !== 'rows') {
    const isRaw = answer.kind === 'refused' && RAW.test(answer.message);
    return compared(
      isRaw ? 'refused by the engine' : answer.kind === 'refused' ? 'refused' : 'crashed',
      answer.message,
    );
  }
  const rules = { ...order, asJson: true, hasGreatFloats: expected.rows.some(hasGreatFloat) };
  const [wanted, found] = [rowsText(expected, rules), rowsText(answer, rules)];
  const isRight = wanted === found;
  return compared(isRight ? 'right' : 'wrong', found, `instead of ${wanted}`);
};

const hasGreatFloat = (value: Value): boolean =>
  isList(value)
    ? value.some(hasGreatFloat)
    : typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 1e12;
