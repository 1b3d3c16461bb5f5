import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { allParts, matchedSteps, shownText, type Step } from '../../cypher/steps';
import { type Clause, type NodePattern, type Query } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';

/**
 * The engine joins all steps of a circle at once, and counts parallel edges as one. It plans each MATCH with those before
 * it, up to a WITH. That matters where rows are counted, or where an edge is used: parallel edges differ even in distinct
 * rows.
 */
export const circles: Quirk = {
  id: 'kuzu-circles',
  description: 'Parallel edges count once where the steps of a MATCH close a circle; the answer has a warning.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})-[:E]->(c:N {id: 3}), (a)-[:E]->(c), (a)-[:E]->(c)',
    query: 'MATCH (a:N)-[:E]->(b:N)-[:E]->(c:N), (a)-[:E]->(c) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  warn: (query, { text }) => {
    const counting = countingClauses(query);
    const used = usedNames(query);
    const steps = allParts(query).flatMap((clauses) => {
      const namesEdges = clauses.flatMap(matchedSteps).some(({ name }) => name !== null && used.has(name.text));
      return stepsThatCloseCircles(namesEdges ? clauses : clauses.filter((clause) => counting.has(clause)));
    });
    return steps.map(
      (step) =>
        `Kuzu may answer too few rows where edges are parallel, because ${shownText(text, step)} closes a circle of ` +
        'steps. Match the ends first, keep them with WITH, and match this step in a separate MATCH.',
    );
  },
};

const usedNames = (query: Query): ReadonlySet<string> =>
  new Set([...expressionsIn(query)].flatMap((value) => (value.kind === 'variable' ? [value.name] : [])));

/** Steps between nodes that earlier steps connect already. */
const stepsThatCloseCircles = (clauses: readonly Clause[]): readonly Step[] => {
  let connected = new Map<Node, Node>();
  return clauses.flatMap((clause) => {
    if (clause.kind === 'with') connected = new Map();
    const known = clause.kind === 'match' && clause.optional ? new Map<Node, Node>() : connected;
    return matchedSteps(clause).filter((step) => !connects(step, known));
  });
};

/** A node's name, or the node itself if it has none. */
type Node = string | NodePattern;

const connects = ({ left, right }: Step, connected: Map<Node, Node>): boolean => {
  const [from, to] = [left.name?.text ?? left, right.name?.text ?? right];
  if (from === to) return true;
  const rootOf = (node: Node): Node => {
    const next = connected.get(node);
    return next === undefined ? node : rootOf(next);
  };
  const isNew = rootOf(from) !== rootOf(to);
  if (isNew) connected.set(rootOf(from), rootOf(to));
  return isNew;
};
