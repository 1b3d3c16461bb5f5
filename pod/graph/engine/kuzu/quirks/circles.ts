import { allNames, and, conditionsOf, matching, name, projection } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { allParts, JoinedNodes, matchedSteps, shownText, type Step } from '../../cypher/steps';
import { type Clause, type MatchClause, type PathPattern, type Query } from '../../cypher/tree';
import { namesIn, variablesIn } from '../../cypher/walk';

/**
 * The engine joins all steps of a cycle at once, and counts parallel edges as one. It plans each MATCH together with
 * those before it, up to a WITH. That matters if rows are counted, or if an edge is used: parallel edges differ even in
 * distinct rows.
 */
export const circles: Quirk = {
  id: 'kuzu-circles',
  description:
    'Parallel edges match only once in a cycle of relationships; with OPTIONAL or a named path the answer has a warning.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})-[:E]->(c:N {id: 3}), (a)-[:E]->(c), (a)-[:E]->(c)',
    query: 'MATCH (a:N)-[:E]->(b:N)-[:E]->(c:N), (a)-[:E]->(c) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  rewrite: (query, { newName }) => {
    const closing = new Map(closingSteps(query));
    if (![...closing.keys()].some((clause) => isDivisible(clause, query))) return query;
    const parts = query.parts.map((clauses) =>
      clauses.flatMap((clause) => {
        const steps = closing.get(clause);
        return steps !== undefined && isDivisible(clause, query) ? divided(clause, steps, newName) : [clause];
      }),
    );
    return { ...query, parts };
  },
  warn: (query, { text }) =>
    closingSteps(query)
      .flatMap(([clause, steps]) => (isDivisible(clause, query) ? [] : steps))
      .map(
        (step) =>
          `Kuzu may answer too few rows where edges are parallel, because ${shownText(text, step)} closes a circle of ` +
          'steps. Match the ends first, keep them with WITH, and match this step in a separate MATCH.',
      ),
};

const isDivisible = (clause: Clause, { parts }: Query): clause is MatchClause =>
  clause.kind === 'match' &&
  !clause.optional &&
  clause.hint === null &&
  clause.paths.every(({ name: called, shortest }) => called === null && shortest === null) &&
  parts.some((clauses) => clauses.includes(clause));

/** The steps that close cycles get their own clauses, each after a WITH. */
const divided = (clause: MatchClause, steps: readonly Step[], newName: () => string): readonly Clause[] => {
  const starts = new Set(steps.map(({ start }) => start));
  const [pieces, apart]: [PathPattern[], PathPattern[]] = [[], []];
  for (const path of clause.paths) {
    const nodes = path.nodes.map((node) => ({ ...node, name: node.name ?? name(newName(), node) }));
    let from = 0;
    for (const [at, step] of path.steps.entries()) {
      if (!starts.has(step.start)) continue;
      pieces.push({ ...path, nodes: nodes.slice(from, at + 1), steps: path.steps.slice(from, at) });
      const ends = nodes.slice(at, at + 2).map((node) => ({ ...node, labels: null, properties: null, where: null }));
      apart.push({ ...path, nodes: ends, steps: [step] });
      from = at + 1;
    }
    pieces.push({ ...path, nodes: nodes.slice(from), steps: path.steps.slice(from) });
  }
  const own = apart.flatMap((path) => path.steps.flatMap((step) => step.name?.text ?? []));
  const conditions = conditionsOf(clause.where);
  const late = conditions.filter((condition) => own.some((text) => namesIn(condition).has(text)));
  return [
    { ...clause, paths: pieces, where: and(...conditions.filter((condition) => !late.includes(condition))) },
    ...apart.flatMap((path, at): readonly Clause[] => [
      { ...projection('with', [], clause), items: [allNames(clause)] },
      matching([path], at === apart.length - 1 ? and(...late) : null, clause),
    ]),
  ];
};

/** The steps between nodes that earlier steps already connect, if that matters. */
const closingSteps = (query: Query): readonly (readonly [Clause, readonly Step[]])[] => {
  const counting = countingClauses(query);
  const used = variablesIn(query);
  return allParts(query).flatMap((clauses) => {
    const namesEdges = clauses.flatMap(matchedSteps).some((step) => step.name !== null && used.has(step.name.text));
    let connected = new JoinedNodes();
    return clauses
      .filter((clause) => namesEdges || counting.has(clause))
      .map((clause) => {
        if (clause.kind === 'with') connected = new JoinedNodes();
        const known = clause.kind === 'match' && clause.optional ? new JoinedNodes() : connected;
        return [clause, matchedSteps(clause).filter((step) => closes(step, known))] as const;
      })
      .filter(([, steps]) => steps.length > 0);
  });
};

const closes = ({ left, right }: Step, known: JoinedNodes): boolean =>
  (left.name === null || left.name.text !== right.name?.text) && !known.join(left, right);
