import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { edgeTablesOf, lengthsOf, matchedSteps, stepsInValues, type Step } from '../../cypher/steps';
import { clausesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** For such a query the pod combines the paths of length 0 and the others. */
export const walksOfLengthZero: Quirk = {
  id: 'kuzu-walks-of-length-zero',
  description: 'A variable-length relationship from 0 omits some nodes and repeats others.',
  shown: {
    graph: 'CREATE (:M {id: 1}), (a:N {id: 2})-[:E]->(b:N {id: 3})',
    query: 'MATCH (n)-[:E*0..1]->(m) RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  rewrite: (query, { schema, walks }) => {
    const found = [...clausesIn(query)]
      .flatMap((clause) => [
        ...matchedSteps(clause),
        ...(clause.kind === 'match' || clause.kind === 'with' ? stepsInValues(clause.where) : []),
      ])
      .find((step) => mayBeginWithZero(step) && !isRight(step, schema, walks));
    if (found === undefined) return query;
    throw new QueryFault(ADVICE, found.start);
  },
};

const ADVICE =
  'Length 0 is possible for a few thousand rows on this kind of instance: begin with length 1, and match the nodes themselves by UNION ALL.';

/** Paths of length 0 alone are found for all nodes of the labels that the edges have. */
const isRight = (step: Step, schema: GraphSchema, walks: boolean): boolean => {
  const tables = edgeTablesOf(step, schema);
  if (lengthsOf(step)[1] === 0)
    return findsAll(
      step,
      schema,
      tables.flatMap(({ fromNode, toNode }) => [fromNode, toNode]),
    );
  const circular = tables.flatMap(({ fromNode, toNode }) => (fromNode === toNode ? [fromNode] : []));
  return !walks && !tables.some(({ hasLoops }) => hasLoops) && findsAll(step, schema, circular);
};

/** Whether each node at one of the ends of a step has one of the labels. */
const findsAll = ({ left, right }: Step, { nodeTables }: GraphSchema, labels: readonly string[]): boolean =>
  [left, right].some((node) => {
    const names = node.labels?.names.map(({ text }) => text) ?? nodeTables.map(({ label }) => label);
    return names.every((name) => labels.includes(name));
  });

/** A parameter may be 0. */
const mayBeginWithZero = ({ length }: Step): boolean => {
  if (length === null || length.mode !== null || length.min === null) return false;
  return length.min.kind !== 'number' || Number(length.min.text) === 0;
};
