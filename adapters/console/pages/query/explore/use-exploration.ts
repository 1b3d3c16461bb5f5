import { useEffect, useState } from 'react';
import { type Neighbours, type Step, useNeighbours, usePath } from '../../../api/exploration';
import { asError } from '../../../api/failure';
import { type Address, type GraphAnswer, type useSchema } from '../../../api/queries';
import { useSession } from '../../../api/session';
import {
  type Exploration,
  graphIn,
  NOTHING_EXPLORED,
  withGraph,
  withoutNode,
  withRequested,
} from '../../../graph/exploration';

interface LastDrawing {
  readonly answer: GraphAnswer;
  readonly exploration: Exploration;
  /** Whether the next answer is added to it. */
  readonly isKept: boolean;
}

/** The last drawing of each user and instance, until the page closes. */
const drawings = new Map<string, LastDrawing>();

interface ExplorationOf {
  readonly address: Address;
  readonly answer: GraphAnswer;
  readonly schema: ReturnType<typeof useSchema>['data'];
}

/** The state of a graph's drawing, and actions that extend it. */
export const useExploration = ({ address, answer, schema }: ExplorationOf) => {
  const key = `${useSession().username} ${address.url}`;
  const neighbours = useNeighbours(address);
  const findPath = usePath(address, schema);
  const [drawing, setDrawing] = useState((): LastDrawing => {
    const before = drawings.get(key);
    if (before?.answer === answer) return before;
    const isKept = before?.isKept ?? false;
    const known = before !== undefined && isKept ? before.exploration : NOTHING_EXPLORED;
    return { answer, exploration: withGraph(known, graphIn(answer.rows)), isKept };
  });
  useEffect(() => void drawings.set(key, drawing), [key, drawing]);
  const { exploration, isKept } = drawing;
  const [problem, setProblem] = useState<Error | null>(null);
  const change = (make: (before: Exploration) => Exploration): void =>
    setDrawing((before) => ({ ...before, exploration: make(before.exploration) }));
  /** Waits for the instance; shows its errors. */
  const answerOf = async <T>(request: Promise<T>): Promise<T | null> => {
    setProblem(null);
    try {
      return await request;
    } catch (error) {
      setProblem(asError(error));
      return null;
    }
  };
  return {
    exploration,
    problem,
    isKept,
    keep: (next: boolean) => setDrawing((before) => ({ ...before, isKept: next })),
    hide: (id: string) => change((before) => withoutNode(before, id)),
    showHidden: () => change((before) => ({ ...before, hidden: new Set() })),
    /** Number of edges of each type at a node; reads its properties, too. */
    count: async (id: string): Promise<Neighbours['counts'] | null> => {
      const found = await answerOf(neighbours([id], null));
      if (found !== null) change((before) => withGraph(before, graphIn(found.nodes)));
      return found?.counts ?? null;
    },
    expand: async (ids: readonly string[], step: Step): Promise<void> => {
      const found = await answerOf(neighbours(ids, step));
      if (found !== null) change((before) => withRequested(before, graphIn([found.nodes, found.edges])));
    },
    connect: async (from: string, to: string): Promise<void> => {
      const rows = await answerOf(findPath(from, to));
      if (rows === null) return;
      if (rows.length === 0) setProblem(new Error(`No path of at most 15 edges between ${from} and ${to}.`));
      else change((before) => withRequested(before, graphIn(rows)));
    },
  };
};
