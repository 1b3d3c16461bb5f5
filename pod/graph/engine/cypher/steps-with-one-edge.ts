import { type EdgeTable, type GraphSchema } from '../graph-schema';
import { edgeTablesOf, type Ends, endsOf, fitsLabels, type Step } from './steps';
import { type NodePattern } from './tree';

/** The pairs of a MATCH's steps that can bind the same edge of a graph. */
export const stepsWithOneEdge = (steps: readonly Step[], schema: GraphSchema): readonly (readonly [Step, Step])[] =>
  steps.flatMap((first, index) =>
    steps
      .slice(index + 1)
      .filter((second) => canBindOneEdge(first, second, steps, schema))
      .map((second) => [first, second] as const),
  );

const canBindOneEdge = (first: Step, second: Step, steps: readonly Step[], schema: GraphSchema): boolean => {
  const types = edgeTablesOf(first, schema).filter((table) => edgeTablesOf(second, schema).includes(table));
  if (first.length !== null || second.length !== null) return types.length > 0;
  return types.some((table) =>
    endsOf(first).some((ends) => endsOf(second).some((others) => canMerge(ends, others, table, steps, schema))),
  );
};

/** A node's name, or the node itself if it has none. */
type NodeKey = string | NodePattern;

/** Whether the pattern can match if two of its steps are one edge of a table, so that their ends are the same nodes. */
const canMerge = (ends: Ends, others: Ends, table: EdgeTable, steps: readonly Step[], schema: GraphSchema): boolean => {
  const next = new Map<NodeKey, NodeKey>();
  const oneOf = (key: NodeKey): NodeKey => {
    const other = next.get(key);
    return other === undefined ? key : oneOf(other);
  };
  const merged = (node: NodePattern): NodeKey => oneOf(node.name?.text ?? node);
  for (const at of [0, 1] as const)
    if (merged(ends[at]) !== merged(others[at])) next.set(merged(ends[at]), merged(others[at]));
  const nodes = steps.flatMap(({ left, right }) => [left, right]);
  const canHave = (node: NodePattern, label: string): boolean =>
    nodes.every((other) => merged(other) !== merged(node) || fitsLabels(label, other.labels));
  const fits = ([from, to]: Ends, { fromNode, toNode, hasLoops }: EdgeTable): boolean =>
    canHave(from, fromNode) && canHave(to, toNode) && (hasLoops || merged(from) !== merged(to));
  return (
    fits(ends, table) &&
    steps
      .filter(({ length }) => length === null)
      .every((step) => endsOf(step).some((way) => edgeTablesOf(step, schema).some((other) => fits(way, other))))
  );
};
