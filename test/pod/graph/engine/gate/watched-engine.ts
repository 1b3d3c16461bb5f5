import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type GraphEngine } from '../../../../../pod/graph/engine/graph-engine';
import { createSampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { mappingOf } from '../../support/snapshot';
import { type Outside } from './corpus';

/** The content of the files that an attack could read; no answer may contain it. */
export const SECRET = 'the canary sings';

/** A loaded engine with observation of its content, files and connections. */
export interface WatchedEngine {
  readonly engine: GraphEngine;
  readonly outside: Outside;
  readonly run: (text: string) => ReturnType<GraphEngine['query']>;
  /** A hash of all nodes, edges, tables and settings, and of every file of the engine and next to it. */
  readonly fingerprint: () => Promise<string>;
  /** The number of connections to the address that attacks use. */
  readonly connections: () => number;
  readonly end: () => Promise<void>;
}

/** `catalogue`: statements that show what the database contains besides nodes and edges. */
export const watchedEngine = async (
  create: (directory: string) => GraphEngine,
  catalogue: readonly string[],
): Promise<WatchedEngine> => {
  const directory = await scratchDirectory();
  const sample = await createSampleGraph();
  const { snapshot, mapping } = sample;
  await snapshot.export(
    'nodes/Copy',
    `SELECT * FROM (VALUES
       (1::BIGINT, 'a', '2024', '2025', 1::BIGINT, 2::BIGINT, 'x', true, 'e', 3::BIGINT, 'c', 'h', 'i'),
       (2, 'b', 'SET', '2026', 4, 5, NULL, false, 'f', 6, 'y', 'g', 'DELETE')
     ) AS t(id, copy, created_at, updated_set, "merge", "drop", "load", "detach", "export", "foreach", csv, headers, "install")`,
  );
  await snapshot.export('nodes/Settings', `SELECT 1::BIGINT AS id, 'DELETE' AS "value"`);
  await snapshot.export('edges/DELETED_BY', `SELECT 1::BIGINT AS what, 'ada' AS who, 'now' AS created_at`);
  await snapshot.export('edges/CREATE_ORDER', `SELECT 2::BIGINT AS what, 1::BIGINT AS settings`);
  const keywords = mappingOf(snapshot, {
    node_definitions: [
      ...mapping.node_definitions,
      {
        label: 'Copy',
        primary_key: { name: 'id', type: 'INT64' },
        properties: [
          ...['copy', 'created_at', 'updated_set', 'load', 'export', 'csv', 'headers', 'install'].map(
            (name) => ({ name, type: 'STRING' }) as const,
          ),
          ...['merge', 'drop', 'foreach'].map((name) => ({ name, type: 'INT64' }) as const),
          { name: 'detach', type: 'BOOL' },
        ],
      },
      {
        label: 'Settings',
        primary_key: { name: 'id', type: 'INT64' },
        properties: [{ name: 'value', type: 'STRING' }],
      },
    ],
    edge_definitions: [
      ...mapping.edge_definitions,
      {
        type: 'DELETED_BY',
        from_node: 'Copy',
        to_node: 'Person',
        from_key: 'what',
        to_key: 'who',
        properties: [{ name: 'created_at', type: 'STRING' }],
      },
      {
        type: 'CREATE_ORDER',
        from_node: 'Copy',
        to_node: 'Settings',
        from_key: 'what',
        to_key: 'settings',
        properties: [],
      },
    ],
  });

  const dir = join(directory, 'canaries');
  await mkdir(dir);
  const file = join(dir, 'secret.csv');
  await writeFile(file, `text\n${SECRET}\n`);
  await writeFile(join(dir, 'secret.json'), JSON.stringify([{ text: SECRET }]));
  let connected = 0;
  const listener = createServer((socket) => {
    connected++;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;

  const loaded = await loadedEngine(create(directory), keywords, snapshot, directory);
  const run: WatchedEngine['run'] = (text) => loaded.engine.query({ text, parameters: {}, timeoutMs: 5_000 });
  const sortedRows = async (text: string): Promise<unknown> => {
    const rows = JSON.parse(right(await run(text)).rowsJson) as unknown[];
    return rows.map((row) => JSON.stringify(row)).sort();
  };

  return {
    engine: loaded.engine,
    outside: { file, dir, out: join(dir, 'written'), url: `https://127.0.0.1:${port}/x.csv` },
    run,
    fingerprint: async () => {
      const content: unknown[] = [];
      const tables = ['MATCH (n) RETURN n', 'MATCH (a)-[r]->(b) RETURN a, r, b', ...catalogue];
      for (const text of tables) content.push([text, await sortedRows(text)]);
      return JSON.stringify([content, await filesOf(directory)]);
    },
    connections: () => connected,
    end: async () => {
      await loaded.end();
      await snapshot.remove();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
};

/** Names and contents of all files below a folder; sockets have a name only. */
const filesOf = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const described = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) return path;
    return `${path} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`;
  });
  return (await Promise.all(described)).sort();
};

/** The text of an answer: rows or an error. */
export const shown = (answer: Awaited<ReturnType<GraphEngine['query']>>): string =>
  isLeft(answer) ? JSON.stringify(answer.left) : answer.right.rowsJson;
