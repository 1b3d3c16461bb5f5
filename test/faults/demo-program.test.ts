import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DemoReport } from '../../adapters/demo/run-demo';
import { freePort } from '../support/free-port';
import { settingsOfOwnLog } from '../support/system-event-store';
import { processesOf } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

const packageRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
const DEMO = join(packageRoot(__dirname), 'dist', 'adapters', 'demo', 'main.js');

// The whole demo, on a busy machine.
jest.setTimeout(600_000);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-demo-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const runDemo = async (
  args: readonly string[],
  dataDirectory = join(folder, 'data'),
): Promise<{ readonly code: number | null; readonly out: string; readonly errors: string }> => {
  const environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ROWGRAPH_DATA_DIR: dataDirectory,
    ROWGRAPH_PORT: String(await freePort()),
    ROWGRAPH_INTERNAL_PORT: String(await freePort()),
    ...settingsOfOwnLog(),
  };
  const program = spawn(process.execPath, [DEMO, ...args], { cwd: folder, env: environment });
  let [out, errors] = ['', ''];
  program.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  program.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => program.once('close', resolve));
  return { code, out, errors };
};

test('the demo with --once --json returns one object and leaves no process and no file outside its data folder', async () => {
  const { code, out, errors } = await runDemo(['--once', '--json']);

  expect(code).toBe(0);
  expect(errors).toContain('ready after');
  const report = JSON.parse(out) as DemoReport;
  expect(report).toMatchObject({
    mapping_id: 1,
    instance_id: 1,
    status: 'running',
    nodes: 51_175,
    algorithm: { name: 'pagerank', status: 'completed', nodes_updated: 30_000 },
  });
  expect(report.edges).toBeGreaterThan(290_000);
  expect(report.queries).toHaveLength(3);
  for (const query of report.queries) {
    expect(query.rows).toHaveLength(10);
    expect(query.rows.every((row) => row.length === query.columns.length)).toBe(true);
  }
  expect(Object.values(report.timings_ms).every((ms) => ms > 0)).toBe(true);
  expect(await readdir(folder)).toEqual(['data']);
  await waitFor('the processes of the demo have ended', () => processesOf(folder).length === 0);
});

test('the demo refuses a folder that it has not created, with a one-line error', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  await writeFile(join(data, 'precious'), 'mine');

  const { code, errors } = await runDemo(['--once'], data);

  expect(code).toBe(1);
  expect(errors).toBe(
    `The demo failed: ${data} is not empty and not from an earlier demo; set ROWGRAPH_DATA_DIR to another folder.\n`,
  );
  expect(await readdir(data)).toEqual(['precious']);
});

test('the demo rejects an unknown option with its usage', async () => {
  const { code, errors } = await runDemo(['--twice']);

  expect(code).toBe(1);
  expect(errors).toContain('Usage: npm run --silent demo -- [--once] [--json]');
});

test('--help prints the usage of the demo', async () => {
  const { code, out } = await runDemo(['--help']);

  expect(code).toBe(0);
  expect(out).toBe('Usage: npm run --silent demo -- [--once] [--json]\n');
});
