import { type Graph } from '../../pod/graph/engine/evaluate/values';
import { type Kind } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { type Answer, askEngine } from '../proof/cypher/engine/ask-engine';
import { tablesOf } from '../proof/cypher/engine/graph-tables';
import { loadedTables } from '../proof/cypher/engine/loaded-graph';
import { evaluateQuery } from '../proof/cypher/evaluate-query';
import { type Question } from './question';

/** A system that answers questions. */
export interface System {
  /** Whether its answers are JSON, where 1 and 1.0 are the same. */
  readonly asJson: boolean;
  /** Questions about one graph are asked one after the other. */
  readonly ask: (question: Question, graph: Graph) => Promise<Answer>;
  readonly end: () => Promise<void>;
}

const MAX_STEPS = 10_000_000;

/** The evaluator that answers of engines are compared with. */
export const reference = (): System => ({
  asJson: false,
  ask: ({ query, parameters }, graph) => Promise.resolve(evaluated(query, graph, parameters)),
  end: () => Promise.resolve(),
});

const evaluated = (query: string, graph: Graph, parameters: Question['parameters']): Answer => {
  const result = evaluateQuery(query, graph, parameters, MAX_STEPS);
  if (result.kind === 'rows') return result;
  return { kind: 'refused', message: `${result.fault}: ${result.message}` };
};

/** An engine as in a pod, with one graph after the other. */
export const engine = (kind: Kind): System => {
  let current: { readonly graph: Graph; readonly loaded: LoadedEngine | string } | null = null;
  const end = async (): Promise<void> => {
    if (current !== null && typeof current.loaded !== 'string') await current.loaded.end();
    current = null;
  };
  return {
    asJson: true,
    ask: async ({ query, parameters }, graph) => {
      if (current?.graph !== graph) {
        await end();
        const tables = tablesOf(graph);
        current = { graph, loaded: typeof tables === 'string' ? tables : await loadedTables(kind, tables) };
      }
      const { loaded } = current;
      if (typeof loaded === 'string') return { kind: 'not asked', message: `The graph has ${loaded}.` };
      return askEngine(loaded.engine, query, parameters);
    },
    end,
  };
};
