import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../adapters/system/package-root';
import { apiClient } from '../support/api-client';
import { ask, createInstance, createMapping, untilRunning } from '../support/instances';
import { copyCluster } from '../support/postgres';
import { TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { settingsOfOwnLog } from '../support/system-event-store';
import { killProcessesOf, processesOf } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(2 * TIMEOUT_MS);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-npm-'));
});
afterEach(async () => {
  killProcessesOf(folder);
  await waitFor('the processes of the system have ended', () => processesOf(folder).length === 0);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs `npm start` as a user would. */
const npmStart = (words: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
  const program = spawn('npm', ['start', ...words], {
    cwd: packageRoot,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      npm_config_update_notifier: 'false',
      ROWGRAPH_DATA_DIR: folder,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve, reject) => program.once('close', () => resolve()).once('error', reject));
  return { program, gone, out: text(program.stdout), errors: text(program.stderr) };
};

it('prints the ports chosen for port 0, runs instances there, and ends with all its processes when npm receives SIGTERM', async () => {
  await copyCluster(join(folder, 'postgres'));
  await mkdir(join(folder, 'warehouse'));
  await fillWarehouse(join(folder, 'warehouse'));
  const { program, gone, errors } = npmStart([], {
    ...settingsOfOwnLog(),
    ROWGRAPH_PORT: '0',
    ROWGRAPH_INTERNAL_PORT: '0',
  });
  let printed = '';
  program.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const isOver = (): boolean => program.exitCode !== null || printed.includes('Stop it with Ctrl-C');
  await waitFor('the system is ready or has ended', isOver, TIMEOUT_MS);
  const [, url = ''] = /^ +API +(http:\S+)\/api$/m.exec(printed) ?? [];
  await apiClient(url, null).call('bootstrap', { body: { username: 'olivia' } });
  const olivia = apiClient(url, 'olivia');
  const { instance_url } = await untilRunning(
    olivia,
    await createInstance(olivia, await createMapping(olivia, townMapping)),
  );
  expect(instance_url).toContain(`${url}/graphs/`);
  expect(await ask(olivia, instance_url, 'MATCH (p:Person) RETURN count(p)')).toEqual([[100]]);
  expect(processesOf(folder).map(({ part }) => part)).toEqual(expect.arrayContaining(['control plane', 'postgres']));

  program.kill('SIGTERM');
  await gone;
  expect(processesOf(folder)).toEqual([]);
  expect(await errors).toContain('stopping: SIGTERM');
});

/** A checkout whose compiler is this script. */
const checkoutWithCompiler = async (script: string): Promise<string> => {
  for (const name of ['domain', 'projections', 'commands', 'queries', 'adapters', 'pod', 'bench', 'deploy'])
    await mkdir(join(folder, name));
  for (const name of ['client', 'console', 'contracts', 'http']) await mkdir(join(folder, 'adapters', name));
  await mkdir(join(folder, 'queries', 'views'));
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true });
  await mkdir(join(folder, 'node_modules', 'typescript', 'bin'), { recursive: true });
  for (const name of ['prepare.mjs', 'check-node.mjs'])
    await copyFile(join(packageRoot, 'deploy', name), join(folder, 'deploy', name));
  await writeFile(join(folder, 'deploy', 'build-console.mjs'), '');
  await writeFile(join(folder, 'package.json'), '{"bin":{"rowgraph":"dist/program"}}');
  for (const name of ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    await writeFile(join(folder, name), '{}');
  const installed = createHash('sha256').update('{}').digest('hex');
  await writeFile(join(folder, 'node_modules', '.rowgraph-installed'), installed);
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  await writeFile(compiler, script);
  return compiler;
};

const countOf = (words: string): number => processesOf(folder).filter(({ command }) => command.includes(words)).length;

it('ends while it is compiling', async () => {
  const compiler = await checkoutWithCompiler('setInterval(() => undefined, 1000);');
  const shell = spawn('sh', ['-c', 'node deploy/prepare.mjs && exec true'], { cwd: folder, stdio: 'ignore' });
  await waitFor('the compiler runs', () => countOf(compiler) === 1, TIMEOUT_MS);
  shell.kill('SIGTERM');
  await waitFor('all processes have ended', () => processesOf(folder).length === 0, TIMEOUT_MS);
});

it('waits for another start of the same checkout that is compiling', async () => {
  const compiler = await checkoutWithCompiler(`
    const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
    appendFileSync('compilations', '1');
    const timer = setInterval(() => {
      if (!existsSync('may-end')) return;
      clearInterval(timer);
      mkdirSync('dist', { recursive: true });
      writeFileSync('dist/program', '');
    }, 10);`);
  const prepare = () => {
    const program = spawn(process.execPath, ['deploy/prepare.mjs'], { cwd: folder });
    return new Promise((resolve) => program.once('close', resolve));
  };
  const first = prepare();
  await waitFor('the compiler runs', () => countOf(compiler) === 1, TIMEOUT_MS);
  const second = prepare();
  await waitFor('the second one waits or compiles', () => countOf('flock') + countOf(compiler) === 2, TIMEOUT_MS);
  await writeFile(join(folder, 'may-end'), '');
  expect(await Promise.all([first, second])).toEqual([0, 0]);
  expect(await readFile(join(folder, 'compilations'), 'utf8')).toBe('1');
});

it('prints its usage with --help, and rejects any other argument', async () => {
  const { program, gone, out } = npmStart(['--', '--help']);
  await gone;
  expect(program.exitCode).toBe(0);
  expect(await out).toMatch(/Usage: npm start[^]*docs\/settings\.md[^]*ROWGRAPH_PORT/);

  const refused = npmStart(['--', '--port', '9000']);
  await refused.gone;
  expect(refused.program.exitCode).not.toBe(0);
  expect(await refused.errors).toContain("unknown option '--port'");
});
