import { type ApiClient } from '../../client/web';
import { type CheckedSql, type TypedColumn } from './check-sql';
import { need, placed } from './failure';
import { type Definitions } from './graphs';
import { edgeSql, type GraphGuess, nodeSql } from './guess-graph';
import { type Mapping } from './mappings';

type NodeDefinition = Definitions['node_definitions'][number];
type EdgeDefinition = NonNullable<Definitions['edge_definitions']>[number];

interface DraftDefinition {
  readonly id: number;
  readonly sql: string;
  /** The names of the properties; null: all columns except the keys. */
  readonly chosen: readonly string[] | null;
  /** The saved definition: its types are valid until its query is changed. */
  readonly saved: { readonly sql: string; readonly columns: readonly TypedColumn[] } | null;
}

export interface DraftNode extends DraftDefinition {
  readonly label: string;
  /** Empty: the first column. */
  readonly key: string;
}

export interface DraftEdge extends DraftDefinition {
  readonly type: string;
  /** Empty: the first column; for the other end, the second one. */
  readonly fromKey: string;
  readonly toKey: string;
  /** Ids of nodes of the draft. */
  readonly from: number | null;
  readonly to: number | null;
}

/** A mapping in the editor. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly change: string;
  /** The version that it is based on; null for a new mapping. */
  readonly version: number | null;
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
}

export const EMPTY_DRAFT: Draft = { name: '', description: '', change: '', version: null, nodes: [], edges: [] };

const nextId = ({ nodes, edges }: Draft): number => Math.max(0, ...[...nodes, ...edges].map(({ id }) => id)) + 1;

export const withNode = (draft: Draft, node: Partial<DraftNode> = {}): Draft => {
  const added = { id: nextId(draft), label: '', sql: '', key: '', chosen: null, saved: null, ...node };
  return { ...draft, nodes: [...draft.nodes, added] };
};

export const withEdge = (draft: Draft, edge: Partial<DraftEdge> = {}): Draft => {
  const empty = { type: '', sql: '', fromKey: '', toKey: '', from: null, to: null, chosen: null, saved: null };
  return { ...draft, edges: [...draft.edges, { id: nextId(draft), ...empty, ...edge }] };
};

/** Removes a node, and its references from edges. */
export const withoutNode = (draft: Draft, removedId: number): Draft => ({
  ...draft,
  nodes: draft.nodes.filter(({ id }) => id !== removedId),
  edges: draft.edges.map((edge) => ({
    ...edge,
    from: edge.from === removedId ? null : edge.from,
    to: edge.to === removedId ? null : edge.to,
  })),
});

/** The draft for changing a mapping. */
export const draftOf = ({ name, description, version }: Mapping): Draft => {
  const empty: Draft = { ...EMPTY_DRAFT, name, description, version: version.version };
  const withNodes = version.node_definitions.reduce<Draft>(
    (draft, { label, sql, primary_key, properties }) =>
      withNode(draft, {
        ...{ label, sql, key: primary_key.name, chosen: properties.map((one) => one.name) },
        saved: { sql, columns: [primary_key, ...properties] },
      }),
    empty,
  );
  return version.edge_definitions.reduce<Draft>(
    (draft, { type, sql, from_key, to_key, from_node, to_node, properties }) =>
      withEdge(draft, {
        ...{ type, sql, fromKey: from_key, toKey: to_key, chosen: properties.map((one) => one.name) },
        ...{ from: idOf(draft, from_node), to: idOf(draft, to_node), saved: { sql, columns: properties } },
      }),
    withNodes,
  );
};

const idOf = ({ nodes }: Draft, label: string): number | null => nodes.find((node) => node.label === label)?.id ?? null;

/** Adds the nodes of a guess whose labels are new, and the edges whose queries are new. */
export const withGuess = (before: Draft, guess: GraphGuess): Draft => {
  const isNode = (table: object): boolean => guess.nodes.some((node) => node.table === table);
  const withNodes = guess.nodes
    .filter(({ label }) => idOf(before, label) === null)
    .reduce((draft, node) => withNode(draft, { label: node.label, key: node.key, sql: nodeSql(node) }), before);
  return guess.edges
    .map((edge) => ({ ...edge, sql: edgeSql(edge, !isNode(edge.table)) }))
    .filter(({ sql }) => !before.edges.some((edge) => edge.sql === sql))
    .reduce((draft, { type, sql, fromKey, toKey, fromLabel, toLabel }) => {
      const ends = { from: idOf(draft, fromLabel), to: idOf(draft, toLabel) };
      return withEdge(draft, { type: freeType(draft, type), sql, fromKey, toKey, ...ends });
    }, withNodes);
};

const freeType = ({ edges }: Pick<Draft, 'edges'>, type: string, number = 1): string => {
  const name = number === 1 ? type : `${type}_${number}`;
  return edges.some((edge) => edge.type === name) ? freeType({ edges }, type, number + 1) : name;
};

/** The columns of a definition, from the saved version and the check. */
export const columnsOf = (
  { sql, saved }: DraftDefinition,
  found: readonly TypedColumn[] | undefined,
): readonly TypedColumn[] => {
  if (saved?.sql !== sql) return found ?? [];
  const isSaved = new Set(saved.columns.map(({ name }) => name));
  return [...saved.columns, ...(found ?? []).filter(({ name }) => !isSaved.has(name))];
};

export const isProperty = ({ chosen }: DraftDefinition, name: string): boolean =>
  chosen === null || chosen.includes(name);

/** The keys of a definition: the first columns unless others are chosen. */
export const keysOf = (definition: DraftNode | DraftEdge, columns: readonly TypedColumn[]): readonly string[] => {
  const first = (index: number): string => columns[index]?.name ?? '';
  return 'key' in definition
    ? [definition.key || first(0)]
    : [definition.fromKey || first(0), definition.toKey || first(1)];
};

type Check = (sql: string) => Promise<CheckedSql>;

/** The definitions of a draft with the engine's types; rejects with the error of the first invalid query. */
export const definitionsOf = async (draft: Draft, check: Check) => {
  const labelOf = (id: number | null): string => draft.nodes.find((node) => node.id === id)?.label ?? '';
  const parts = async (definition: DraftNode | DraftEdge, name: string) => {
    const columns = await knownColumns(definition, name, check);
    const keys = keysOf(definition, columns);
    const properties = columns.filter((one) => !keys.includes(one.name) && isProperty(definition, one.name));
    return { columns, keys, properties };
  };
  const node_definitions = draft.nodes.map(async (node): Promise<NodeDefinition> => {
    const { columns, keys, properties } = await parts(node, node.label);
    const key = keys[0] ?? '';
    const type = keyType(node.label, key, columns);
    return { label: node.label, sql: node.sql, primary_key: { name: key, type }, properties };
  });
  const edge_definitions = draft.edges.map(async (edge): Promise<EdgeDefinition> => {
    const { keys, properties } = await parts(edge, edge.type);
    const ends = { from_node: labelOf(edge.from), to_node: labelOf(edge.to) };
    return { type: edge.type, sql: edge.sql, from_key: keys[0] ?? '', to_key: keys[1] ?? '', ...ends, properties };
  });
  return {
    node_definitions: await Promise.all(node_definitions),
    edge_definitions: await Promise.all(edge_definitions),
  };
};

const knownColumns = async (
  definition: DraftNode | DraftEdge,
  name: string,
  check: Check,
): Promise<readonly TypedColumn[]> => {
  const { sql, saved, chosen } = definition;
  const used = [...(chosen ?? []), ...('key' in definition ? [definition.key] : [])];
  // Unchanged definitions can be saved even if the query engine is unavailable.
  if (saved?.sql === sql && used.every((one) => saved.columns.some((column) => column.name === one)))
    return saved.columns;
  if (sql.trim() === '') throw new Error(`${name || 'A definition'} has no query: write one, or remove it.`);
  const { problem, columns } = await check(sql);
  if (problem !== null)
    throw new Error(`The query of ${name || 'a definition'} is not valid. ${placed(problem.message, problem.place)}`);
  return columnsOf(definition, columns);
};

type Key = NodeDefinition['primary_key']['type'];
const KEY_TYPES: readonly Key[] = ['STRING', 'INT64', 'INT32', 'INT16', 'INT8', 'DATE', 'TIMESTAMP', 'UUID'];

const keyType = (label: string, key: string, columns: readonly TypedColumn[]): Key => {
  const type = columns.find(({ name }) => name === key)?.type;
  const found = KEY_TYPES.find((one) => one === type);
  if (found !== undefined) return found;
  throw new Error(
    type === undefined
      ? `The query of ${label} has no column ${key}: choose another key.`
      : `${key} has the type ${type}, which cannot be a key: choose another for ${label}.`,
  );
};

/** Creates a mapping, or changes one: it gets a new version only if its definitions differ. Returns its id. */
export const saveMapping = async (
  api: ApiClient,
  base: Mapping | null,
  { name, description, change }: Pick<Draft, 'name' | 'description' | 'change'>,
  definitions: Pick<Definitions, 'node_definitions' | 'edge_definitions'>,
): Promise<number> => {
  const texts = { name: name.trim(), description };
  if (base === null) return (await need(api.createMapping({ body: { ...texts, ...definitions } }))).id;
  const { node_definitions, edge_definitions } = base.version;
  const isSame = JSON.stringify(definitions) === JSON.stringify({ node_definitions, edge_definitions });
  const version = isSame ? {} : { ...definitions, change_description: change.trim() || null };
  const body = { ...texts, ...version };
  return (await need(api.updateMapping({ params: { id: base.id }, body }))).id;
};
