import { type EdgeTable, type GraphSchema } from '../../graph-schema';
import { type AnalysedQuery, type Refusal } from '../../query/analyse-query';
import { allClauses, allParts, isMatch, type Clause } from '../../query/clauses';
import { positionAt } from '../../query/cypher-tokens';
import { pathPatterns, plainName, stepsInExpressions, type PatternNode, type Step } from '../../query/patterns';
import { projectionOf } from '../../query/result-shape';

/** The labels a node can have, by its name. */
type Labels = ReadonlyMap<string, readonly string[]>;

/**
 * Why a query is rejected that has, in an optional pattern or a condition, a step its edge type does not have: KNOWS from
 * a city, where only people know each other. The engine would return the edges of other nodes.
 */
export const unmatchableStep = ({ text, query }: AnalysedQuery, schema: GraphSchema): Refusal | null => {
  for (const clauses of allParts(query)) {
    let labels: Labels = new Map();
    for (const clause of clauses) {
      const before = labels;
      labels = labelsAfter(clause, before, schema);
      const optional = clause.name === 'OPTIONAL MATCH' ? stepsOf(clause) : [];
      const inside = clause.subqueries.flatMap((subquery) => allClauses(subquery.query)).flatMap(stepsOf);
      const conditions = [...stepsInExpressions(clause.condition ?? []), ...inside];
      const reason = [
        ...optional.map((step) => [step, complaint(step, before, schema)] as const),
        ...conditions.map((step) => [step, complaint(step, labels, schema)] as const),
      ].find(([, message]) => message !== null);
      if (reason === undefined) continue;
      const [step, message] = reason;
      return { message: message ?? '', position: positionAt(text, step.tokens[0]?.start ?? 0) };
    }
  }
  return null;
};

const stepsOf = (clause: Clause): readonly Step[] =>
  isMatch(clause) ? pathPatterns(clause.body).flatMap(({ steps }) => steps) : [];

const complaint = (step: Step, labels: Labels, { nodeTables, edgeTables }: GraphSchema): string | null => {
  const [type, other] = step.types;
  const table = edgeTables.find((edge) => edge.type === type);
  if (table === undefined || other !== undefined || step.direction === 'both' || step.length !== null) return null;
  for (const [node, label] of endsOf(step, table)) {
    const written = node.labels.filter((name) => nodeTables.some((known) => known.label === name));
    const possible = labels.get(plainName(node.variable ?? '')) ?? written;
    if (possible.length === 0 || possible.includes(label)) continue;
    return (
      `${node.variable ?? `(:${written.join('|')})`} is ${possible.join(' or ')}, and ${table.type} leads from ${table.fromNode} to ${table.toNode}: ` +
      'this pattern cannot match. Reverse the step, or omit it.'
    );
  }
  return null;
};

/** The nodes of a step with the labels an edge table has there. */
const endsOf = ({ left, right, direction }: Step, { fromNode, toNode }: EdgeTable): readonly [PatternNode, string][] =>
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
  if (clause.name === 'WITH') {
    const { items } = projectionOf(clause);
    const isStar = items.some(({ expression }) => expression[0]?.text === '*');
    const kept = items.flatMap(({ expression, name }) => {
      const possible = expression.length === 1 ? before.get(plainName(expression[0]?.text ?? '')) : undefined;
      return name === null || possible === undefined ? [] : [[plainName(name), possible] as const];
    });
    return new Map([...(isStar ? before : []), ...kept]);
  }
  const narrowed = isMatch(clause) ? narrowedBy(clause, before, schema) : before;
  // The labels in an OPTIONAL MATCH need not apply to nodes found before.
  return clause.name === 'OPTIONAL MATCH' ? new Map([...narrowed, ...before]) : narrowed;
};

/** Each node keeps the labels written with it, and those its steps have at their ends. */
const narrowedBy = ({ body }: Clause, before: Labels, { nodeTables, edgeTables }: GraphSchema): Labels => {
  const labels = new Map(before);
  const all = nodeTables.map(({ label }) => label);
  const narrow = ({ variable }: PatternNode, possible: readonly string[]): void => {
    if (variable === null) return;
    const known = labels.get(plainName(variable)) ?? all;
    labels.set(
      plainName(variable),
      known.filter((label) => possible.includes(label)),
    );
  };
  const paths = pathPatterns(body);
  for (const node of paths.flatMap(({ nodes }) => nodes)) {
    narrow(node, node.labels.some((label) => all.includes(label)) ? node.labels : all);
  }
  const canBe = ({ variable, labels: written }: PatternNode, label: string): boolean =>
    (labels.get(plainName(variable ?? '')) ?? (written.length > 0 ? written : [label])).includes(label);
  const steps = paths.flatMap((path) => path.steps).filter(({ length }) => length === null);
  for (const step of [...steps, ...steps]) {
    const ends = edgeTables
      .filter(({ type }) => step.types.length === 0 || step.types.includes(type))
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
