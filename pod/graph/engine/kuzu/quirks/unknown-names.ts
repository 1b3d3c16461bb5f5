import { and, literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type LabelTest, type NodePattern, type PathPattern, type StepPattern } from '../../cypher/tree';
import { changeExpressions, changeMatches } from '../../cypher/walk';
import { type GraphSchema, propertiesByTable } from '../../graph-schema';

/** They are omitted, together with parts that cannot match: the condition is `false` instead. */
export const unknownNames: Quirk = {
  id: 'kuzu-unknown-names',
  description: 'An unknown label, edge type or property is an error, and (n:A:B) matches nodes with any of the labels.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:M {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[:F]->(m:Missing) RETURN n.id, m.missing',
    right: [[1, null]],
    wrong: 'error',
  },
  rewrite: (query, { schema }) => {
    const values = changeExpressions(query, (value) =>
      value.kind === 'pattern' && !known(value.path, schema).isPossible ? literal(false, value) : value,
    );
    return changeMatches(values, (clause) => {
      const paths = clause.paths.map((path) => known(path, schema));
      if (paths.every(({ path }, index) => path === clause.paths[index])) return clause;
      const where = paths.every(({ isPossible }) => isPossible)
        ? clause.where
        : and(literal(false, clause), clause.where);
      return { ...clause, paths: paths.map(({ path }) => path), where };
    });
  },
};

interface KnownPath {
  readonly path: PathPattern;
  readonly isPossible: boolean;
}

/** A path with only the names of the graph; the same object if all are known. */
const known = (path: PathPattern, schema: GraphSchema): KnownPath => {
  const nodeProperties = propertiesByTable(schema, 'node');
  const edgeProperties = propertiesByTable(schema, 'relationship');
  const nodes = path.nodes.map((node) => {
    const labels = node.labels === null ? null : knownLabels(node.labels, nodeProperties);
    return withProperties(
      labels === node.labels ? node : { ...node, labels },
      labels?.names.map(({ text }) => text),
      nodeProperties,
    );
  });
  const steps = path.steps.map((step) => {
    const types = step.types.filter(({ text }) => edgeProperties.has(text));
    const kept = types.length === step.types.length ? step : { ...step, types };
    return withProperties(kept, types.length === 0 ? undefined : types.map(({ text }) => text), edgeProperties);
  });
  const isSame =
    nodes.every((node, at) => node === path.nodes[at]) && steps.every((step, at) => step === path.steps[at]);
  const isPossible =
    nodes.every((node, at) => node.labels !== null || path.nodes[at]?.labels === null) &&
    steps.every((step, at) => step.types.length > 0 || path.steps[at]?.types.length === 0) &&
    [...nodes, ...steps].every(
      ({ properties }, at) =>
        entriesOf(properties) === entriesOf([...path.nodes, ...path.steps][at]?.properties ?? null),
    );
  return { path: isSame ? path : { ...path, nodes, steps }, isPossible };
};

type Tables = ReturnType<typeof propertiesByTable>;

/** Null if no node can have the labels: each node has one. */
const knownLabels = (test: LabelTest, tables: Tables): LabelTest | null => {
  const distinct = test.names.filter(({ text }, at) => test.names.findIndex((name) => name.text === text) === at);
  const names = distinct.filter(({ text }) => tables.has(text));
  const isPossible = test.of === 'any' ? names.length > 0 : names.length === 1 && distinct.length === 1;
  if (!isPossible) return null;
  return names.length === test.names.length ? test : { ...test, names };
};

const entriesOf = (properties: NodePattern['properties']): number =>
  properties?.kind === 'map' ? properties.entries.length : 0;

/** Removes properties that none of the tables has. */
const withProperties = <P extends NodePattern | StepPattern>(
  part: P,
  named: readonly string[] | undefined,
  tables: Tables,
): P => {
  if (part.properties?.kind !== 'map') return part;
  const possible = (named ?? [...tables.keys()]).map((table) => tables.get(table));
  const entries = part.properties.entries.filter(({ key }) =>
    possible.some((found) => found?.some(({ name }) => name === key.text)),
  );
  if (entries.length === part.properties.entries.length) return part;
  return { ...part, properties: entries.length === 0 ? null : { ...part.properties, entries } };
};
