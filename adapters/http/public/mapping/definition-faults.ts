import { type FieldError } from '../../../../domain/kernel/codecs';
import { type EdgeDefinition, type NodeDefinition } from '../../../../domain/mapping';
import { validateDefinitions } from '../../../../domain/mapping/validate-definitions';

/** What rules say of the definitions of a body whose shape is wrong, beside what `shape` says already. */
export const definitionFaults = (
  { node_definitions: givenNodes, edge_definitions: givenEdges }: Readonly<Record<string, unknown>>,
  shape: readonly FieldError[],
): readonly FieldError[] => {
  const nodes = Array.isArray(givenNodes) ? givenNodes.map(readableNode) : null;
  const edges = Array.isArray(givenEdges) ? givenEdges.map(readableEdge) : [];
  const labelsAreKnown = nodes?.every(({ label }) => !label.startsWith(UNREADABLE)) === true;
  return validateDefinitions(nodes, edges)
    .filter(({ field }) => labelsAreKnown || !/\.(from|to)_node$/.test(field))
    .filter(({ field }) => !shape.some((known) => `${field}.`.startsWith(`${known.field}.`)));
};

/** In place of what cannot be read; nobody can send it as a valid name, and the shape has told what is wrong there. */
const UNREADABLE = '\0';

const readableNode = (given: unknown, index: number): NodeDefinition => ({
  label: textOf(given, 'label', index),
  sql: textOf(given, 'sql', index),
  primary_key: { name: textOf(fieldOf(given, 'primary_key'), 'name', index), type: 'STRING' },
  properties: propertiesOf(given),
});

const readableEdge = (given: unknown, index: number): EdgeDefinition => ({
  type: textOf(given, 'type', index),
  sql: textOf(given, 'sql', index),
  from_key: textOf(given, 'from_key', index),
  to_key: textOf(given, 'to_key', -1 - index),
  from_node: textOf(given, 'from_node', index),
  to_node: textOf(given, 'to_node', index),
  properties: propertiesOf(given),
});

const propertiesOf = (given: unknown): NodeDefinition['properties'] => {
  const properties = fieldOf(given, 'properties');
  return Array.isArray(properties)
    ? properties.map((property, index) => ({ name: textOf(property, 'name', index), type: 'STRING' }))
    : [];
};

const textOf = (given: unknown, name: string, index: number): string => {
  const value = fieldOf(given, name);
  return typeof value === 'string' ? value : `${UNREADABLE}${index}`;
};

const fieldOf = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, name)
    ? (given as Readonly<Record<string, unknown>>)[name]
    : undefined;
