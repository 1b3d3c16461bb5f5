import { type EdgeDefinition, type NodeDefinition, type PropertyDefinition } from './definitions';

/** The change of one definition. `from` is null for an added one, `to` for a removed one. */
export interface DefinitionChange<D> {
  readonly key: string;
  readonly changeType: 'added' | 'removed' | 'modified';
  /** Sorted; only for a modified one. */
  readonly fieldsChanged?: readonly string[];
  readonly from: D | null;
  readonly to: D | null;
}

export interface VersionDiff {
  readonly nodes: readonly DefinitionChange<NodeDefinition>[];
  readonly edges: readonly DefinitionChange<EdgeDefinition>[];
}

interface Definitions {
  readonly node_definitions: readonly NodeDefinition[];
  readonly edge_definitions: readonly EdgeDefinition[];
}

/**
 * The differences between two versions: added, removed, modified, each by name. Properties are a set: their order does
 * not count.
 */
export const diffVersions = (from: Definitions, to: Definitions): VersionDiff => ({
  nodes: diff(from.node_definitions, to.node_definitions, ({ label }) => label, nodeTexts),
  edges: diff(from.edge_definitions, to.edge_definitions, ({ type }) => type, edgeTexts),
});

/** Each field as a canonical text, equal for equal meanings. */
type Texts = Readonly<Record<string, string>>;

const nodeTexts = ({ primary_key: { name, type }, properties, ...texts }: NodeDefinition): Texts => ({
  ...texts,
  primary_key: `${name} ${type}`,
  properties: propertiesText(properties),
});

const edgeTexts = ({ properties, ...texts }: EdgeDefinition): Texts => ({
  ...texts,
  properties: propertiesText(properties),
});

const propertiesText = (properties: readonly PropertyDefinition[]): string =>
  properties
    .map(({ name, type }) => `${name} ${type}`)
    .sort()
    .join();

const diff = <D>(
  from: readonly D[],
  to: readonly D[],
  keyOf: (definition: D) => string,
  textsOf: (definition: D) => Texts,
): readonly DefinitionChange<D>[] => {
  const before = byKey(from, keyOf);
  const after = byKey(to, keyOf);
  const added = [...after].filter(([key]) => !before.has(key));
  const removed = [...before].filter(([key]) => !after.has(key));
  return [
    ...added.map(([key, definition]) => ({ key, changeType: 'added' as const, from: null, to: definition })),
    ...removed.map(([key, definition]) => ({ key, changeType: 'removed' as const, from: definition, to: null })),
    ...[...before].flatMap(([key, old]) => {
      const now = after.get(key);
      const fieldsChanged = now === undefined ? [] : changedFields(textsOf(old), textsOf(now));
      return now === undefined || fieldsChanged.length === 0
        ? []
        : [{ key, changeType: 'modified' as const, fieldsChanged, from: old, to: now }];
    }),
  ];
};

const byKey = <D>(definitions: readonly D[], keyOf: (definition: D) => string): ReadonlyMap<string, D> =>
  new Map(
    definitions.map((definition) => [keyOf(definition), definition] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const changedFields = (before: Texts, after: Texts): readonly string[] =>
  Object.keys(before)
    .filter((field) => before[field] !== after[field])
    .sort();
