import { type GraphSchema, propertiesByTable } from '../graph-schema';
import { inferredTypes } from './scopes';
import { type LabelTest, type Name, type NodePattern, type Query, type StepPattern } from './tree';
import { UNKNOWN, type ValueType } from './value-type';
import { clausesIn, expressionsIn, partsOf } from './walk';

/**
 * Warns of labels, edge types and properties that the graph does not contain: they match nothing or are null, as in
 * openCypher, and are often misspelt.
 */
export const unknownNames = (query: Query, schema: GraphSchema): readonly string[] => [
  ...unknownTables(query, schema),
  ...unknownProperties(query, schema),
];

const unknownTables = (query: Query, { nodeTables, edgeTables }: GraphSchema): readonly string[] => {
  const labels = nodeTables.map(({ label }) => label);
  const types = edgeTables.map(({ type }) => type);
  const known = new Set([...labels, ...types]);
  const unknown = partsOf(query)
    .flatMap(namesIn)
    .filter(({ text }) => !known.has(text));
  return [...new Set(unknown.map(({ text }) => text))].map(
    (name) =>
      `Unknown label or edge type ${name}: nothing matches it. ` +
      `Labels: ${labels.join(', ')}; edge types: ${types.join(', ')}.`,
  );
};

const unknownProperties = (query: Query, schema: GraphSchema): readonly string[] => {
  const known = { node: propertiesByTable(schema, 'node'), relationship: propertiesByTable(schema, 'relationship') };
  const warnings = new Set<string>();
  const check = (kind: keyof typeof known, tables: readonly string[], { text }: Name): void => {
    const names = new Set(tables.flatMap((table) => known[kind].get(table) ?? []).map(({ name }) => name));
    if (names.has(text) || tables.every((table) => !known[kind].has(table))) return;
    const of = tables.length === 1 ? ` of ${tables.join()}` : '';
    const hint =
      names.size === 0 ? `, as ${tables.join(' and ')} has no properties.` : `. Properties: ${[...names].join(', ')}.`;
    warnings.add(`Unknown property ${text}${of}: it is null${hint}`);
  };
  for (const [type, name] of accesses(query, schema))
    if (type.kind === 'node' || type.kind === 'relationship') check(type.kind, type.tables, name);
  for (const part of partsOf(query)) {
    if (!isPattern(part) || part.properties?.kind !== 'map') continue;
    const kind = isStep(part) ? 'relationship' : 'node';
    const named = isStep(part) ? part.types : (part.labels?.names ?? []);
    const tables = named.length > 0 ? named.map(({ text }) => text) : [...known[kind].keys()];
    for (const { key } of part.properties.entries) check(kind, tables, key);
  }
  return [...warnings];
};

/** The properties in `n.name` and `n {.name}`, with the types of their owners. */
const accesses = (query: Query, schema: GraphSchema): readonly (readonly [ValueType, Name])[] => {
  const { typeOf, before, after } = inferredTypes(query, schema);
  return clausesIn(query).flatMap((clause) =>
    expressionsIn(clause).flatMap((value) => {
      if (value.kind === 'property') return [[typeOf(value.of), value.name] as const];
      if (value.kind !== 'map_projection') return [];
      const type = before.get(clause)?.get(value.of.text) ?? after.get(clause)?.get(value.of.text) ?? UNKNOWN;
      return value.items.flatMap((item) => (item.kind === 'property' ? [[type, item.name] as const] : []));
    }),
  );
};

const namesIn = (part: object): readonly Name[] => {
  if (isLabelTest(part)) return part.names;
  return isStep(part) ? part.types : [];
};

const isLabelTest = (part: object): part is LabelTest => 'of' in part && (part.of === 'all' || part.of === 'any');
const isStep = (part: object): part is StepPattern => 'types' in part && 'direction' in part;
const isPattern = (part: object): part is NodePattern | StepPattern =>
  'properties' in part && ('labels' in part || isStep(part));
