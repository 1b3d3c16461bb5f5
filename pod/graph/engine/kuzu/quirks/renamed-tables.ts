import { type Quirk } from '../../cypher/quirk';
import { type LabelTest, type Name, type PathPattern } from '../../cypher/tree';
import { changePaths } from '../../cypher/walk';
import { type TableKind } from '../../graph-engine';
import { tableNames, type TableNames } from '../load/table-names';

/** Replaces labels and edge types in patterns by the engine's table names. */
export const renamedTables: Quirk = {
  id: 'kuzu-one-name-for-tables',
  description: 'Labels and edge types share one namespace, which ignores case.',
  shown: {
    graph: 'CREATE (a:Road {id: 1})-[:ROAD]->(b:Road {id: 2})',
    query: 'MATCH (:Road)-[:ROAD]->(b:Road) RETURN b.id',
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query, { schema }) => {
    const names = tableNames(schema);
    return names.differ ? changePaths(query, (path) => withTables(path, names)) : query;
  },
};

const withTables = (path: PathPattern, { tableOf }: TableNames): PathPattern => {
  const renamed = (kind: TableKind, names: readonly Name[]): readonly Name[] =>
    names.map((name) => ({ ...name, text: tableOf(kind, name.text) }));
  const labels = (test: LabelTest | null): LabelTest | null =>
    test === null ? null : { ...test, names: renamed('nodes', test.names) };
  return {
    ...path,
    nodes: path.nodes.map((node) => ({ ...node, labels: labels(node.labels) })),
    steps: path.steps.map((step) => ({ ...step, types: renamed('edges', step.types) })),
  };
};
