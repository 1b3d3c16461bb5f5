import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { allParts, matchedSteps, stepsInValues, type Step } from '../../cypher/steps';
import { type Clause, type Expression, type MatchClause, type NodePattern } from '../../cypher/tree';
import { clausesIn, expressionsIn } from '../../cypher/walk';
import { type EdgeTable, type GraphSchema } from '../../graph-schema';

/**
 * A step, in an optional pattern or a condition, that its edge type does not have: KNOWS from a city, where only people
 * know each other. The engine would return the edges of other nodes.
 */
export const unmatchableSteps: Quirk = {
  id: 'kuzu-unmatchable-steps',
  description: 'An optional step that its edge type cannot have finds the edges of other nodes.',
  shown: {
    graph: 'CREATE (:City {id: 11}), ' + '(:Person {id: 1})-[:KNOWS]->(:Person {id: 2})-[:KNOWS]->(:Person {id: 3})',
    query: 'MATCH (c:City) OPTIONAL MATCH (c)-[:KNOWS]->(p)-[:KNOWS]->(q) RETURN q.id',
    right: [[null]],
    wrong: [[3]],
  },
  rewrite: (query, { schema }) => {
    for (const clauses of allParts(query)) checkPart(clauses, schema);
    return query;
  },
};

/** The labels a node can have, by its name. */
type Labels = ReadonlyMap<string, readonly string[]>;

const checkPart = (clauses: readonly Clause[], schema: GraphSchema): void => {
  let labels: Labels = new Map();
  for (const clause of clauses) {
    const before = labels;
    labels = labelsAfter(clause, before, schema);
    if (clause.kind === 'match' && clause.optional) checkSteps(matchedSteps(clause), before, schema);
    const where = 'where' in clause ? clause.where : null;
    checkSteps([...stepsInValues(where), ...stepsInSubqueries(clause)], labels, schema);
  }
};

const stepsInSubqueries = (clause: Clause): readonly Step[] =>
  [...expressionsIn(clause)].flatMap((value: Expression) =>
    value.kind === 'subquery' ? [...clausesIn(value.query)].flatMap(matchedSteps) : [],
  );

const checkSteps = (steps: readonly Step[], labels: Labels, schema: GraphSchema): void => {
  for (const step of steps) {
    const message = complaint(step, labels, schema);
    if (message !== null) throw new QueryFault(message, step.start);
  }
};

const namesOf = ({ labels }: NodePattern): readonly string[] => (labels?.names ?? []).map(({ text }) => text);

const complaint = (step: Step, labels: Labels, { nodeTables, edgeTables }: GraphSchema): string | null => {
  const [type, other] = step.types;
  const table = edgeTables.find((edge) => edge.type === type?.text);
  if (table === undefined || other !== undefined || step.direction === 'both' || step.length !== null) return null;
  for (const [node, label] of endsOf(step, table)) {
    const written = namesOf(node).filter((name) => nodeTables.some((known) => known.label === name));
    const possible = labels.get(node.name?.text ?? '') ?? written;
    if (possible.length === 0 || possible.includes(label)) continue;
    return (
      `${node.name?.text ?? `(:${written.join('|')})`} is ${possible.join(' or ')}, and ${table.type} leads from ${table.fromNode} to ${table.toNode}: ` +
      'this pattern cannot match. Reverse the step, or omit it.'
    );
  }
  return null;
};

/** The nodes of a step with the labels an edge table has there. */
const endsOf = ({ left, right, direction }: Step, { fromNode, toNode }: EdgeTable): readonly [NodePattern, string][] =>
  direction === 'left'
    ? [
        [right, fromNode],
        [left, toNode],
      ]
    : [
        [left, fromNode],
        [right, toNode],
      ];

const labelsAfter = (clause: Clause, before: Labels, schema: GraphSchema): Labels => {
  if (clause.kind === 'with') {
    const isStar = clause.items.some(({ value }) => value.kind === 'star' && value.of === null);
    const kept = clause.items.flatMap(({ value, alias }) => {
      const possible = value.kind === 'variable' ? before.get(value.name) : undefined;
      return value.kind !== 'variable' || possible === undefined
        ? []
        : [[alias?.text ?? value.name, possible] as const];
    });
    return new Map([...(isStar ? before : []), ...kept]);
  }
  if (clause.kind !== 'match') return before;
  const narrowed = narrowedBy(clause, before, schema);
  // The labels in an OPTIONAL MATCH need not apply to nodes found before.
  return clause.optional ? new Map([...narrowed, ...before]) : narrowed;
};

/** Each node keeps the labels written with it, and those its steps have at their ends. */
const narrowedBy = (clause: MatchClause, before: Labels, { nodeTables, edgeTables }: GraphSchema): Labels => {
  const labels = new Map(before);
  const all = nodeTables.map(({ label }) => label);
  const narrow = ({ name }: NodePattern, possible: readonly string[]): void => {
    if (name === null) return;
    const known = labels.get(name.text) ?? all;
    labels.set(
      name.text,
      known.filter((label) => possible.includes(label)),
    );
  };
  for (const node of clause.paths.flatMap(({ nodes }) => nodes)) {
    const written = namesOf(node);
    narrow(node, written.some((label) => all.includes(label)) ? written : all);
  }
  const canBe = (node: NodePattern, label: string): boolean => {
    const written = namesOf(node);
    return (labels.get(node.name?.text ?? '') ?? (written.length > 0 ? written : [label])).includes(label);
  };
  const steps = matchedSteps(clause).filter(({ length }) => length === null);
  for (const step of [...steps, ...steps]) {
    const ends = edgeTables
      .filter(({ type }) => step.types.length === 0 || step.types.some(({ text }) => text === type))
      .flatMap((table) =>
        step.direction === 'both' ? [endsOf(step, table), endsOf(step, turned(table))] : [endsOf(step, table)],
      )
      .filter((pair) => pair.every(([node, label]) => canBe(node, label)));
    for (const node of [step.left, step.right]) {
      narrow(
        node,
        ends.flat().flatMap(([end, label]) => (end === node ? [label] : [])),
      );
    }
  }
  return labels;
};

const turned = (table: EdgeTable): EdgeTable => ({ ...table, fromNode: table.toNode, toNode: table.fromNode });
