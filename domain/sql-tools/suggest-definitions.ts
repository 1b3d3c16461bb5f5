import * as t from 'io-ts';
import {
  EDGE_TYPE,
  isReserved,
  MAX_NAME_LENGTH,
  MAX_PROPERTIES,
  NAME,
  NAME_WORDS,
  PrimaryKeyType,
  PropertyDefinition,
} from '../mapping';
import { type EngineColumn } from '../ports/query-engine';
import { namedTables } from '../sql/named-tables';
import { propertyTypeOf } from './engine-types';

/** A query with its result columns as the engine describes them. */
export interface DescribedQuery {
  readonly sql: string;
  readonly columns: readonly EngineColumn[];
}

/** `inferred`: what was guessed. */
const SuggestedNode = t.strict({
  label: t.string,
  sql: t.string,
  primary_key: PropertyDefinition,
  properties: t.readonlyArray(PropertyDefinition),
  inferred: t.strict({ label: t.boolean, primary_key: t.boolean }),
});
type SuggestedNode = t.TypeOf<typeof SuggestedNode>;

const SuggestedEdge = t.strict({
  type: t.string,
  sql: t.string,
  /** Empty when the query has too few columns. */
  from_key: t.string,
  to_key: t.string,
  from_node: t.null,
  to_node: t.null,
  properties: t.readonlyArray(PropertyDefinition),
  inferred: t.strict({ type: t.boolean, from_key: t.boolean, to_key: t.boolean }),
  /** The first one says that the ends have to be set. */
  warnings: t.readonlyArray(t.string),
});
type SuggestedEdge = t.TypeOf<typeof SuggestedEdge>;

export const SuggestedDefinitions = t.strict({
  node_definitions: t.readonlyArray(SuggestedNode),
  edge_definitions: t.readonlyArray(SuggestedEdge),
  /** About the nodes; each begins with the field of its query. */
  warnings: t.readonlyArray(t.string),
});
export type SuggestedDefinitions = t.TypeOf<typeof SuggestedDefinitions>;

/** The ends of edges are set by hand: their queries do not name the nodes they join. */
export const ENDS_WARNING = 'from_node and to_node must be set by hand to the labels of the nodes the keys refer to';

/**
 * Definitions for a mapping made of queries: the first column of a node query is its key, the first two of an edge
 * query are its ends, the others properties. A mapping accepts the definitions without warnings (other than the one
 * about ends).
 */
export const suggestDefinitions = (
  nodes: readonly DescribedQuery[],
  edges: readonly DescribedQuery[],
): SuggestedDefinitions => {
  const warnings: string[] = [];
  const labels = new Set<string>();
  const node_definitions = nodes.map(({ sql, columns }, index): SuggestedNode => {
    const { name, isInferred, warnings: ofName } = suggestName(sql, 'label', index + 1, labels);
    labels.add(name.toLowerCase());
    const { keys, properties, warnings: ofColumns } = readColumns(columns, 1);
    const [key = { name: '', type: 'STRING' as const }] = keys;
    warnings.push(...[...ofName, ...ofColumns].map((warning) => `node_queries.${index}: ${warning}`));
    return { label: name, sql, primary_key: key, properties, inferred: { label: isInferred, primary_key: true } };
  });
  const types = new Set<string>();
  const edge_definitions = edges.map(({ sql, columns }, index): SuggestedEdge => {
    const { name, isInferred, warnings: ofName } = suggestName(sql, 'type', index + 1, types);
    types.add(name.toLowerCase());
    const { keys, properties, warnings: ofColumns } = readColumns(columns, 2);
    return {
      type: name,
      sql,
      from_key: keys[0]?.name ?? '',
      to_key: keys[1]?.name ?? '',
      from_node: null,
      to_node: null,
      properties,
      inferred: { type: isInferred, from_key: true, to_key: true },
      warnings: [ENDS_WARNING, ...ofName, ...ofColumns],
    };
  });
  return { node_definitions, edge_definitions, warnings };
};

interface ReadColumns {
  readonly keys: readonly PropertyDefinition[];
  readonly properties: readonly PropertyDefinition[];
  readonly warnings: readonly string[];
}

/** Number of columns that one warning names. */
const MAX_NAMED = 5;

/** The first columns as keys, and the other valid columns as properties. */
const readColumns = (columns: readonly EngineColumn[], keyCount: number): ReadColumns => {
  const keys = columns.slice(0, keyCount).map(propertyOf);
  const warnings = [
    ...(columns.length < keyCount
      ? [`${columns.length} column is too few: the first ${keyCount} columns of an edge query are its keys`]
      : []),
    ...repeated(columns).map((name) => `column ${name} exists more than once; give each another name with AS`),
    ...columns.slice(0, keyCount).flatMap(keyWarnings),
  ];
  const isRepeated = new Set(repeated(columns).map((name) => name.toLowerCase()));
  const properties: PropertyDefinition[] = [];
  const beyond: string[] = [];
  for (const column of columns.slice(keyCount)) {
    if (isRepeated.has(column.name.toLowerCase())) continue;
    if (isReserved(column.name)) {
      warnings.push(`column "${column.name}" is omitted: this word is reserved; rename it with AS`);
    } else if (!NAME.test(column.name)) {
      warnings.push(`column "${column.name}" is omitted: a property name is ${NAME_WORDS}; rename it with AS`);
    } else if (properties.length === MAX_PROPERTIES) {
      beyond.push(column.name);
    } else {
      warnings.push(...typeWarnings(column));
      properties.push(propertyOf(column));
    }
  }
  if (beyond.length > 0) {
    const rest = beyond.length > MAX_NAMED ? ` and ${beyond.length - MAX_NAMED} more` : '';
    const what = `columns ${beyond.slice(0, MAX_NAMED).join(', ')}${rest} are omitted`;
    warnings.push(`${what}: a definition has at most ${MAX_PROPERTIES} properties; select those that you need`);
  }
  return { keys, properties, warnings };
};

const propertyOf = ({ name, type }: EngineColumn): PropertyDefinition => ({ name, type: propertyTypeOf(type).type });

const keyWarnings = (column: EngineColumn): readonly string[] => {
  const { type } = propertyTypeOf(column.type);
  return [
    ...(NAME.test(column.name)
      ? []
      : [`column "${column.name}" is not a valid key name, ${NAME_WORDS}; rename it with AS`]),
    ...(PrimaryKeyType.is(type)
      ? []
      : [`column ${column.name} is ${type}, which is not a key type; put another column first, or CAST it`]),
    ...typeWarnings(column),
  ];
};

/** What an export will reject in a column, or which of its values may not be as expected. */
export const typeWarnings = ({ name, type, refusal }: EngineColumn): readonly string[] => {
  if (refusal !== undefined) return [refusal];
  const rule = propertyTypeOf(type);
  return rule.caution === undefined ? [] : [`column ${name} (${type}) becomes ${rule.type}: ${rule.caution}`];
};

/** Names that more than one column has, each once. */
const repeated = (columns: readonly EngineColumn[]): readonly string[] => {
  const names = columns.map(({ name }) => name.toLowerCase());
  return columns
    .filter(
      ({ name }, index) => names.indexOf(name.toLowerCase()) === index && names.lastIndexOf(name.toLowerCase()) > index,
    )
    .map(({ name }) => name);
};

interface SuggestedName {
  readonly name: string;
  /** False when the query contains its name. */
  readonly isInferred: boolean;
  readonly warnings: readonly string[];
}

/** A comment before the query: `-- name: Customer`. */
const NAME_COMMENT = /^\s*(?:--[^\r\n]*(?:\r\n|\r|\n)\s*)*?--[ \t]*name:[ \t]*([^\r\n]*?)[ \t]*(?:\r|\n|$)/i;

/**
 * A unique label or edge type for a query: from a leading comment `-- name: X`, else from the first table of the query,
 * reduced to valid characters.
 */
const suggestName = (sql: string, kind: 'label' | 'type', number: number, used: ReadonlySet<string>): SuggestedName => {
  const comment = NAME_COMMENT.exec(sql)?.[1];
  const table = namedTables(sql)[0]?.at(-1);
  const wanted = (comment === '' ? undefined : comment) ?? table;
  const fallback = kind === 'label' ? `Node${number}` : `EDGE_${number}`;
  const admitted = wanted === undefined ? '' : admittedName(wanted, kind);
  const warnings: string[] = [];
  if (wanted === undefined) warnings.push(`the query does not name a table; the name is ${fallback}`);
  else if (admitted !== (comment === undefined && kind === 'type' ? wanted.toUpperCase() : wanted)) {
    warnings.push(`"${wanted}" is not a valid ${kind === 'label' ? 'node label' : 'edge type'}`);
  }
  const unique = unusedName(admitted === '' ? fallback : admitted, used);
  if (unique !== admitted && wanted !== undefined) warnings.push(`it is called ${unique}, choose another name`);
  return { name: unique, isInferred: comment === undefined || unique !== comment, warnings };
};

/** The nearest valid name, empty when no valid character remains. */
const admittedName = (text: string, kind: 'label' | 'type'): string => {
  const pattern = kind === 'label' ? NAME : EDGE_TYPE;
  const cased = kind === 'label' ? text : text.toUpperCase();
  const plain = pattern.test(cased)
    ? cased
    : cased
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/[^A-Za-z0-9_]+/g, '_')
        .replaceAll(/^_+|_+$/g, '')
        .replace(/^(?=\d)/, kind === 'label' ? 'N' : 'E')
        .slice(0, MAX_NAME_LENGTH);
  return isReserved(plain) ? `${plain}_` : plain;
};

const unusedName = (name: string, used: ReadonlySet<string>): string => {
  let candidate = name;
  for (let number = 2; used.has(candidate.toLowerCase()); number += 1) {
    const suffix = `_${number}`;
    candidate = name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
  }
  return candidate;
};
