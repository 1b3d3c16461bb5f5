import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { packageRoot } from '../../adapters/system/package-root';
import { type RunningSystem, startRunningSystem } from '../support/running-system';

jest.setTimeout(600_000);

let system: RunningSystem;
beforeAll(async () => {
  system = await startRunningSystem(createTables, {}, () => Promise.resolve());
}, 120_000);
afterAll(() => system.close());

/** The tables that the README uses: 100 people, each knows the next one, and the first one knows three more. */
const createTables = async (warehouse: string): Promise<void> => {
  const connection = await (await DuckDBInstance.create()).connect();
  const parquet = async (table: string, query: string): Promise<void> => {
    const path = join(warehouse, 'shop', 'main', `${table}.parquet`);
    await mkdir(dirname(path), { recursive: true });
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  };
  await parquet('people', "SELECT i AS id, 'person ' || i AS name FROM range(100) t (i)");
  await parquet(
    'knows',
    'SELECT i AS a, (i + 1) % 100 AS b FROM range(100) t (i) UNION ALL SELECT 0, i FROM range(2, 5) t (i)',
  );
  connection.closeSync();
};

it("leads from a user's tables to the answer of a query", async () => {
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Use your own tables'), readme.indexOf('## Choose a kind'));
  const blocks = [...section.matchAll(/```(sh|yaml)\n([\s\S]*?)```/g)].map(([, language, text = '']) => ({
    language,
    text,
  }));
  const environment = { PATH: process.env['PATH'], HOME: system.folder, ROWGRAPH_URL: system.url };
  const printed: string[] = [];
  for (const { language, text } of blocks.filter((block) => !block.text.startsWith('npm start'))) {
    if (language === 'yaml') await writeFile(join(system.folder, 'people.yaml'), text);
    else {
      // The program belongs to the checkout, files to the reader's folder.
      const script = `set -e\n${text.replaceAll('people.yaml', join(system.folder, 'people.yaml'))}`;
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { cwd: packageRoot, env: environment });
      printed.push(stdout);
    }
  }
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'sh', 'yaml', 'sh']);
  expect(printed.at(-1)).toMatch(/graph +100 nodes, 103 edges/);
  expect(printed.at(-1)).toMatch(/person 0 +4\n/);
});
