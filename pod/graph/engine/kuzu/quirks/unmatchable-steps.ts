import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { endsOf, matchedSteps, stepsInValues, type Step } from '../../cypher/steps';
import { clausesIn, expressionsIn } from '../../cypher/walk';
import { inferredTypes, type Types } from '../../cypher/value-types';
import { type GraphSchema } from '../../graph-schema';

/**
 * A step, in an optional pattern or a condition, that its edge type does not support: KNOWS from a city, if only people
 * know each other. The engine would return the edges of other nodes.
 */
export const unmatchableSteps: Quirk = {
  id: 'kuzu-unmatchable-steps',
  description:
    'An OPTIONAL MATCH of a relationship that its edge type does not allow returns the edges of other nodes.',
  shown: {
    graph: 'CREATE (:City {id: 11}), ' + '(:Person {id: 1})-[:KNOWS]->(:Person {id: 2})-[:KNOWS]->(:Person {id: 3})',
    query: 'MATCH (c:City) OPTIONAL MATCH (c)-[:KNOWS]->(p)-[:KNOWS]->(q) RETURN q.id',
    right: [[null]],
    wrong: [[3]],
  },
  rewrite: (query, { schema }) => {
    const { before, after } = inferredTypes(query, schema);
    for (const clause of clausesIn(query)) {
      if (clause.kind === 'match' && clause.optional) checkSteps(matchedSteps(clause), before.get(clause), schema);
      const where = 'where' in clause ? clause.where : null;
      const inSubqueries = [...expressionsIn(clause)].flatMap((value) =>
        value.kind === 'subquery' ? [...clausesIn(value.query)].flatMap(matchedSteps) : [],
      );
      const types = new Map([...(before.get(clause) ?? []), ...(after.get(clause) ?? [])]);
      checkSteps([...stepsInValues(where), ...inSubqueries], types, schema);
    }
    return query;
  },
};

const checkSteps = (steps: readonly Step[], types: Types = new Map(), schema: GraphSchema): void => {
  for (const step of steps) {
    const message = complaint(step, types, schema);
    if (message !== null) throw new QueryFault(message, step.start);
  }
};

const complaint = (step: Step, types: Types, { nodeTables, edgeTables }: GraphSchema): string | null => {
  const [type, other] = step.types;
  const table = edgeTables.find((edge) => edge.type === type?.text);
  if (table === undefined || other !== undefined || step.direction === 'both' || step.length !== null) return null;
  const [[from, to] = [step.left, step.right]] = endsOf(step);
  for (const [node, label] of [[from, table.fromNode] as const, [to, table.toNode] as const]) {
    const written = (node.labels?.names ?? []).map(({ text }) => text);
    const known = types.get(node.name?.text ?? '');
    const possible =
      known?.kind === 'node' ? known.tables : written.filter((name) => nodeTables.some((each) => each.label === name));
    if (possible.length === 0 || possible.includes(label)) continue;
    return (
      `${node.name?.text ?? `(:${written.join('|')})`} is ${possible.join(' or ')}, and ${table.type} leads from ${table.fromNode} to ${table.toNode}: ` +
      'this pattern cannot match. Reverse the step, or omit it.'
    );
  }
  return null;
};
