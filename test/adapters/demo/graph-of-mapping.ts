import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection, Database, type KuzuValue, type QueryResult } from '../../../pod/graph/engine/kuzu/binding/binding';
import { type DemoMapping } from '../../../adapters/sample/bank-mapping';
import { edgeColumns, nodeColumns } from '../../../domain/mapping/definitions';
import { type QueryEngine } from '../../../domain/ports/query-engine';
import { localDestination, storedPaths } from '../../support/local-destination';
import { finish, ok } from '../../contracts/query-engine/query-engine-contract';

export interface LoadedGraph {
  query(cypher: string): Promise<readonly Record<string, KuzuValue>[]>;
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

/** Loads the exported files into a new Kuzu database. */
export const loadGraph = async (
  mapping: DemoMapping,
  files: ReadonlyMap<string, string>,
  path: string,
): Promise<LoadedGraph> => {
  const database = new Database(path, 512 * 1024 * 1024);
  const connection = new Connection(database, 2);
  const query = async (cypher: string): Promise<readonly Record<string, KuzuValue>[]> => {
    const result = (await connection.query(cypher)) as QueryResult;
    const rows = await result.getAll();
    result.close();
    return rows;
  };
  const columns = (properties: readonly { readonly name: string; readonly type: string }[]): string =>
    properties.map(({ name, type }) => `, ${name} ${type}`).join('');

  for (const { label, primary_key: key, properties } of mapping.node_definitions) {
    await query(`CREATE NODE TABLE ${label}(${key.name} ${key.type}${columns(properties)}, PRIMARY KEY(${key.name}))`);
  }
  for (const { type, from_node, to_node, properties } of mapping.edge_definitions) {
    await query(`CREATE REL TABLE ${type}(FROM ${from_node} TO ${to_node}${columns(properties)})`);
  }
  for (const [name, file] of files) await query(`COPY ${name} FROM '${file}'`);
  return {
    query,
    close: async () => {
      await connection.close();
      await database.close();
    },
  };
};
