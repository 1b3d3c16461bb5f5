import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoMapping } from '../../../adapters/sample/bank-mapping';
import { edgeColumns, nodeColumns } from '../../../domain/mapping/definitions';
import { type QueryEngine } from '../../../domain/ports/query-engine';
import { type GraphEngine } from '../../../pod/graph/engine/graph-engine';
import { type GraphProperty, scalar } from '../../../pod/graph/engine/graph-schema';
import { finish, ok } from '../../contracts/query-engine/query-engine-contract';
import { right } from '../../pod/graph/support/loaded-engine';
import { localDestination, storedPaths } from '../../support/local-destination';

export interface LoadedGraph {
  query(cypher: string): Promise<readonly Record<string, unknown>[]>;
  /** Writes the property `rank` of Account. */
  rank(parquetFile: string): Promise<void>;
  close(): Promise<void>;
}

/** Exports every definition of a mapping to Parquet: the file of each label and edge type. */
export const exportMapping = async (
  engine: QueryEngine,
  mapping: DemoMapping,
  folder: string,
): Promise<ReadonlyMap<string, string>> => {
  const jobs = [
    ...mapping.node_definitions.map((node) => ({ name: node.label, sql: node.sql, columns: nodeColumns(node) })),
    ...mapping.edge_definitions.map((edge) => ({ name: edge.type, sql: edge.sql, columns: edgeColumns(edge) })),
  ];
  const files = await Promise.all(
    jobs.map(async ({ name, sql, columns }) => {
      const scratchDirectory = join(folder, name);
      await mkdir(scratchDirectory, { recursive: true });
      const request = {
        sql,
        columns,
        catalog: null,
        destination: localDestination(scratchDirectory),
        scratchDirectory,
      };
      const ended = ok(await finish(engine, request));
      return [name, storedPaths(request.destination, ended)[0]!] as const;
    }),
  );
  return new Map(files);
};

/** Loads the exported files into a new database. */
export const loadGraph = async (
  { node_definitions, edge_definitions }: DemoMapping,
  files: ReadonlyMap<string, string>,
  engine: GraphEngine,
): Promise<LoadedGraph> => {
  const propertyOf = ({ name, type }: { readonly name: string; readonly type: string }): GraphProperty => ({
    name,
    type: scalar(type),
    declaredType: type,
    wholeMilliseconds: false,
  });
  right(await engine.start());
  const created = await engine.createSchema({
    nodeTables: node_definitions.map(({ label, primary_key, properties }) => ({
      label,
      primaryKey: propertyOf(primary_key),
      properties: properties.map(propertyOf),
    })),
    edgeTables: edge_definitions.map(({ type, from_node, to_node, properties }) => ({
      type,
      fromNode: from_node,
      toNode: to_node,
      hasLoops: false,
      properties: properties.map(propertyOf),
    })),
  });
  right(created);
  const fileOf = (name: string): readonly string[] => [files.get(name)].filter((file) => file !== undefined);
  for (const { label } of node_definitions) right(await engine.load('nodes', label, fileOf(label)));
  for (const { type } of edge_definitions) right(await engine.load('edges', type, fileOf(type)));
  right(await engine.finishLoading());
  return {
    query: async (text) => {
      const { columns, rowsJson } = right(await engine.query({ text, parameters: {}, timeoutMs: 60_000 }));
      const rows = JSON.parse(rowsJson) as readonly (readonly unknown[])[];
      return rows.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at]])));
    },
    rank: async (parquetFile) => {
      const property = propertyOf({ name: 'rank', type: 'DOUBLE' });
      right(await engine.writeNodes({ label: 'Account', property, parquetFile }));
    },
    close: () => engine.close(),
  };
};
