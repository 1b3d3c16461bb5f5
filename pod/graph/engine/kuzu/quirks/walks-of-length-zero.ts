import { countingClauses } from '../../cypher/counting-clauses';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { edgeTablesOf, matchedSteps, shownText, stepsInValues, type Step } from '../../cypher/steps';
import { clausesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

export const walksOfLengthZero: Quirk = {
  id: 'kuzu-walks-of-length-zero',
  description:
    'A variable-length relationship from 0 omits some nodes and repeats others; it is rejected, or the answer has a warning.',
  shown: {
    graph: 'CREATE (:M {id: 1}), (a:N {id: 2})-[:E]->(b:N {id: 3})',
    query: 'MATCH (n)-[:E*0..1]->(m) RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  rewrite: (query, { schema }) => {
    const counting = countingClauses(query);
    const found = [...clausesIn(query)]
      .filter(
        (clause) => counting.has(clause) || (clause.kind === 'match' && clause.paths.some(({ name }) => name !== null)),
      )
      .flatMap(matchedSteps)
      .find((step) => mayBeginWithZero(step) && edgeTablesOf(step, schema).some(({ hasLoops }) => hasLoops));
    if (found === undefined) return query;
    const advice = 'begin with length 1, and match the nodes themselves by UNION ALL';
    throw new QueryFault(`Kuzu answers length 0 wrongly where edges join a node to itself: ${advice}.`, found.start);
  },
  warn: (query, { text, schema, walks }) =>
    [...clausesIn(query)]
      .flatMap((clause) => [
        ...matchedSteps(clause),
        ...(clause.kind === 'match' || clause.kind === 'with' ? stepsInValues(clause.where) : []),
      ])
      .filter((step) => mayBeginWithZero(step) && (walks || !findsAll(step, schema)))
      .map(
        (step) =>
          `Kuzu may answer ${shownText(text, step)} wrongly: with length 0 it finds only nodes of the labels its edges ` +
          'have, and counts walks that return to their first node more than once. Begin with length 1, and match the ' +
          'nodes separately.',
      ),
};

/** Whether a label at one of its ends ensures that the node of a path of length 0 has the label of its edges. */
const findsAll = (step: Step, schema: GraphSchema): boolean => {
  const tables = edgeTablesOf(step, schema);
  const labels = new Set(tables.flatMap(({ fromNode, toNode }) => (fromNode === toNode ? [fromNode] : [])));
  return [step.left, step.right].some((node) => node.labels?.names.every(({ text }) => labels.has(text)) === true);
};

/** A parameter may be 0. */
const mayBeginWithZero = ({ length }: Step): boolean => {
  if (length === null || length.mode !== null || length.min === null) return false;
  return length.min.kind !== 'number' || Number(length.min.text) === 0;
};
