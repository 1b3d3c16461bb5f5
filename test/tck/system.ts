import { evaluateQuery } from '../proof/cypher/evaluate-query';
import { type Graph } from '../proof/cypher/values';
import { type Question } from './question';
import { type Answer } from './verdict';

/** What questions are asked. */
export interface System {
  /** Whether its answers are JSON, where 1 and 1.0 are the same. */
  readonly asJson: boolean;
  /** Questions about one graph are asked one after the other. */
  readonly ask: (question: Question, graph: Graph) => Promise<Answer>;
  readonly end: () => Promise<void>;
}

/** The evaluator that answers of engines are compared with. */
export const reference = (): System => ({
  asJson: false,
  ask: ({ query, parameters }, graph) => {
    const result = evaluateQuery(query, graph, parameters);
    if (result.kind === 'rows') return Promise.resolve({ ...result, isWarned: false });
    const { fault, message } = result;
    return Promise.resolve({ kind: 'refused', message: fault === 'error' ? message : `${fault}: ${message}` });
  },
  end: () => Promise.resolve(),
});
