import { isLeft } from 'fp-ts/Either';
import { type FieldError, unstorableCharacter } from '../kernel/codecs';
import { checkQuery } from '../sql/check-query';
import {
  EDGE_TYPE,
  EDGE_TYPE_WORDS,
  type EdgeDefinition,
  isReserved,
  MAX_EDGES,
  MAX_NODES,
  MAX_PROPERTIES,
  NAME,
  NAME_WORDS,
  type NodeDefinition,
  type PropertyDefinition,
} from './definitions';

/**
 * All errors of a pair of definition lists, with dotted fields (`node_definitions.1.label`). The export checks what
 * only the query engine knows (whether tables and columns exist). `knownNodes` null: edges are sent alone, and their
 * references to nodes are not checked.
 */
export const validateDefinitions = (
  knownNodes: readonly NodeDefinition[] | null,
  edges: readonly EdgeDefinition[],
): readonly FieldError[] => {
  const nodes = knownNodes ?? [];
  const counts = countErrors(knownNodes, edges);
  // Longer lists are not validated further: comparing all pairs would take minutes.
  if (nodes.length > MAX_NODES || edges.length > MAX_EDGES) return counts;
  return [
    ...counts,
    ...nodes.flatMap((node, index) => nodeErrors(node, `node_definitions.${index}`)),
    ...edges.flatMap((edge, index) => edgeErrors(edge, knownNodes, `edge_definitions.${index}`)),
    ...duplicates(nodes.map((node) => node.label)).map(({ index, first }) => ({
      field: `node_definitions.${index}.label`,
      message: `repeats the label of node_definitions.${first}; labels must be unique`,
    })),
    ...duplicates(edges.map((edge) => edge.type)).map(({ index, first }) => ({
      field: `edge_definitions.${index}.type`,
      message: `repeats the type of edge_definitions.${first}; edge types must be unique`,
    })),
  ];
};

const countErrors = (nodes: readonly unknown[] | null, edges: readonly unknown[]): readonly FieldError[] => [
  ...(nodes !== null && (nodes.length < 1 || nodes.length > MAX_NODES)
    ? [{ field: 'node_definitions', message: `must have 1 to ${MAX_NODES} definitions, not ${nodes.length}` }]
    : []),
  ...(edges.length > MAX_EDGES
    ? [{ field: 'edge_definitions', message: `must have at most ${MAX_EDGES} definitions, not ${edges.length}` }]
    : []),
];

const nodeErrors = (node: NodeDefinition, at: string): readonly FieldError[] => [
  ...nameErrors(node.label, `${at}.label`, NAME, NAME_WORDS, true),
  ...nameErrors(node.primary_key.name, `${at}.primary_key.name`, NAME, NAME_WORDS, false),
  ...propertyErrors(node.properties, [node.primary_key.name], at),
  ...sqlErrors(node.sql, `${at}.sql`),
];

const edgeErrors = (
  edge: EdgeDefinition,
  nodes: readonly NodeDefinition[] | null,
  at: string,
): readonly FieldError[] => [
  ...nameErrors(edge.type, `${at}.type`, EDGE_TYPE, EDGE_TYPE_WORDS, true),
  ...nameErrors(edge.from_key, `${at}.from_key`, NAME, NAME_WORDS, false),
  ...nameErrors(edge.to_key, `${at}.to_key`, NAME, NAME_WORDS, false),
  ...(edge.from_key.toLowerCase() === edge.to_key.toLowerCase()
    ? [{ field: `${at}.to_key`, message: 'must differ from from_key' }]
    : []),
  ...(['from_node', 'to_node'] as const).flatMap((end) => {
    const labels = nodes?.map(({ label }) => label) ?? [edge[end]];
    const message = `must be a node label of this mapping (${labels.join(', ')}), not ${edge[end]}`;
    return labels.includes(edge[end]) ? [] : [{ field: `${at}.${end}`, message }];
  }),
  ...propertyErrors(edge.properties, [edge.from_key, edge.to_key], at),
  ...sqlErrors(edge.sql, `${at}.sql`),
];

const MAX_SHOWN = 100;

const nameErrors = (
  name: string,
  field: string,
  pattern: RegExp,
  words: string,
  refuseReserved: boolean,
): readonly FieldError[] => {
  if (!pattern.test(name))
    return [
      { field, message: `must be ${words}, not ${JSON.stringify(Array.from(name).slice(0, MAX_SHOWN).join(''))}` },
    ];
  if (refuseReserved && isReserved(name)) return [{ field, message: `must not be the reserved word ${name}` }];
  return [];
};

const propertyErrors = (
  properties: readonly PropertyDefinition[],
  keys: readonly string[],
  at: string,
): readonly FieldError[] => {
  if (properties.length > MAX_PROPERTIES) {
    const message = `must have at most ${MAX_PROPERTIES} properties, not ${properties.length}`;
    return [{ field: `${at}.properties`, message }];
  }
  return [
    ...properties.flatMap(({ name }, index) =>
      nameErrors(name, `${at}.properties.${index}.name`, NAME, NAME_WORDS, true),
    ),
    ...duplicates([...keys, ...properties.map(({ name }) => name)].map((name) => name.toLowerCase()))
      .filter(({ index }) => index >= keys.length)
      .map(({ index }) => ({
        field: `${at}.properties.${index - keys.length}.name`,
        message: 'repeats the name of a key or another property; names are compared without regard to case',
      })),
  ];
};

const sqlErrors = (sql: string, field: string): readonly FieldError[] => {
  const unstorable = unstorableCharacter(sql);
  if (unstorable !== null) return [{ field, message: unstorable }];
  const checked = checkQuery(sql);
  if (!isLeft(checked)) return [];
  const { message, line, column } = checked.left;
  return [{ field, message: `is not one read-only query: ${message} (line ${line}, column ${column})` }];
};

const duplicates = (names: readonly string[]): readonly { readonly index: number; readonly first: number }[] =>
  names.map((name, index) => ({ index, first: names.indexOf(name) })).filter(({ index, first }) => first < index);
