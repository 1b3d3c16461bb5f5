import { type NodeWrite } from '../../graph-engine';
import { type EdgeTable, type GraphProperty, type GraphSchema, type NodeTable } from '../../graph-schema';
import { quoted } from '../../literal';
import { kuzuType, quoteName } from '../binding/kuzu-type';

/** The statements that create all tables, nodes first. */
export const schemaStatements = ({ nodeTables, edgeTables }: GraphSchema): readonly string[] => [
  ...nodeTables.map(createNodeTable),
  ...edgeTables.map(createEdgeTable),
];

export const copyStatement = (table: string, parquetFiles: readonly string[]): string =>
  `COPY ${quoteName(table)} FROM [${parquetFiles.map(quoted).join(', ')}]`;

/** COPY misreads edge properties of these names. They are renamed to these names after the edges are copied. */
const ENDS = /^(from|to)$/i;
const nameWhileCopied = (name: string): string => (ENDS.test(name) ? `property ${name}` : name);

export const renameStatements = ({ type, properties }: EdgeTable): readonly string[] =>
  properties
    .filter(({ name }) => ENDS.test(name))
    .map(
      ({ name }) => `ALTER TABLE ${quoteName(type)} RENAME ${quoteName(nameWhileCopied(name))} TO ${quoteName(name)}`,
    );

/** Counts the NaN values of a result. */
export const nanStatement = ({ parquetFile }: NodeWrite): string =>
  `LOAD FROM ${quoted(parquetFile)} WHERE ${isNaNText('value')} RETURN count(*)`;

export const isNaNText = (value: string): string => `coalesce(CAST(${value} AS STRING) = 'nan', false)`;

export const addPropertyStatement = ({ label, property }: NodeWrite): string =>
  `ALTER TABLE ${quoteName(label)} ADD IF NOT EXISTS ${column(property)}`;

export const setPropertyStatement = ({ label, property, parquetFile }: NodeWrite, key: GraphProperty): string =>
  `LOAD FROM ${quoted(parquetFile)} ` +
  `MATCH (n:${quoteName(label)}) WHERE n.${quoteName(key.name)} = CAST(key AS ${kuzuType(key.type)}) ` +
  `SET n.${quoteName(property.name)} = value RETURN count(*) AS written`;

const createNodeTable = ({ label, primaryKey, properties }: NodeTable): string => {
  const columns = [primaryKey, ...properties].map(column);
  return `CREATE NODE TABLE ${quoteName(label)}(${columns.join(', ')}, PRIMARY KEY(${quoteName(primaryKey.name)}))`;
};

const createEdgeTable = ({ type, fromNode, toNode, properties }: EdgeTable): string => {
  const copied = properties.map((property) => ({ ...property, name: nameWhileCopied(property.name) }));
  const parts = [`FROM ${quoteName(fromNode)} TO ${quoteName(toNode)}`, ...copied.map(column)];
  return `CREATE REL TABLE ${quoteName(type)}(${parts.join(', ')})`;
};

const column = ({ name, type }: GraphProperty): string => `${quoteName(name)} ${kuzuType(type)}`;
