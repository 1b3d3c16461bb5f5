import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';

export const NODES = 1_000_000;
export const EDGES = 5_000_000;

/**
 * Exports a graph as a worker would: people who know random people. A formula generates it, so that it is the same each
 * time. It has no communities and no locality, which is the hardest case for louvain and for processor caches.
 */
export const exportBenchGraph = async (root: string): Promise<InstanceMapping> => {
  const folder = join(root, 'ada', '1', 'v1', '7');
  const random = (salt: number): string => `(hash(i + ${salt}) % ${NODES})::BIGINT`;
  await exportDefinition(
    join(folder, 'nodes', 'Person'),
    `SELECT i AS id, 'person ' || i AS name, ${random(1e9)} % 90 AS age FROM range(${NODES}) AS t(i)`,
    NODES,
  );
  await exportDefinition(
    join(folder, 'edges', 'KNOWS'),
    `SELECT ${random(0)} AS from_id, ${random(1e8)} AS to_id, ${random(2e8)} / 1e6 AS weight FROM range(${EDGES}) AS t(i)`,
    EDGES,
  );
  return {
    snapshot_id: 7,
    mapping_id: 1,
    mapping_version: 1,
    storage_path: 'ada/1/v1/7/',
    node_definitions: [
      {
        label: 'Person',
        primary_key: { name: 'id', type: 'INT64' },
        properties: [
          { name: 'name', type: 'STRING' },
          { name: 'age', type: 'INT64' },
        ],
      },
    ],
    edge_definitions: [
      {
        type: 'KNOWS',
        from_node: 'Person',
        to_node: 'Person',
        from_key: 'from_id',
        to_key: 'to_id',
        properties: [{ name: 'weight', type: 'DOUBLE' }],
      },
    ],
  };
};

const exportDefinition = async (definition: string, sql: string, rows: number): Promise<void> => {
  const attempt = join(definition, 'attempt-1');
  await mkdir(attempt, { recursive: true });
  const file = join(attempt, 'part-0.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${sql}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const { size: bytes } = await stat(file);
  const manifest = { files: [{ file: 'part-0.parquet', rows, bytes, sha256 }], rows };
  await writeFile(join(attempt, 'manifest.json'), JSON.stringify(manifest));
};
