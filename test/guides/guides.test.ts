import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEFAULT_URL } from '../../adapters/cli/connection';
import { packageRoot } from '../../adapters/system/package-root';
import { freePort } from '../support/free-port';
import { doStep, guideSteps, shapeOf, withOutputs } from '../support/guide';
import { settingsOfOwnLog } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';

const DEMO_MS = 180_000;
jest.setTimeout(4 * DEMO_MS);

const DOCS = join(packageRoot, 'docs');

let folder: string;
let demo: ChildProcess;
let environment: NodeJS.ProcessEnv;

/** Follows the set-up of the guides: starts the demo, and makes `rowgraph` a command. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-guides-'));
  const port = await freePort();
  environment = {
    PATH: `${join(folder, 'npm', 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    ROWGRAPH_URL: `http://127.0.0.1:${port}`,
    npm_config_prefix: join(folder, 'npm'),
    npm_config_update_notifier: 'false',
  };
  const [startDemo = '', ...others] = setUpBlocks(await readFile(join(DOCS, 'guides', 'analysts.md'), 'utf8'));
  demo = spawn('/bin/sh', ['-c', startDemo], {
    cwd: packageRoot,
    // A separate process group, which Ctrl-C ends.
    detached: true,
    env: {
      ...environment,
      ROWGRAPH_URL: undefined,
      ROWGRAPH_DATA_DIR: join(folder, 'data'),
      ROWGRAPH_PORT: String(port),
      ROWGRAPH_INTERNAL_PORT: String(await freePort()),
      ...settingsOfOwnLog(),
    },
  });
  let [said, errors] = ['', ''];
  demo.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  demo.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await waitFor('the demo is ready', () => said.includes('Press Ctrl-C to stop.') || demo.exitCode !== null, DEMO_MS);
  // Progress and results on stdout, and nothing on stderr.
  expect({ said, errors, code: demo.exitCode }).toEqual({ said, errors: '', code: null });
  expect(others).toEqual(['npm link\n']);
  for (const block of others) {
    await promisify(execFile)('/bin/sh', ['-ec', block], { cwd: packageRoot, env: environment });
  }
}, 2 * DEMO_MS);

afterAll(async () => {
  const ended = new Promise((resolve) => demo.once('close', resolve));
  if (demo.pid !== undefined && demo.exitCode === null) process.kill(-demo.pid, 'SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, DEMO_MS);

const setUpBlocks = (guide: string): readonly string[] => {
  const section = guide.slice(guide.indexOf('## Before you begin'), guide.indexOf('## 1.'));
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
};

/** With WRITE_GUIDES=1, the current output of the commands is written into the guides. */
const isWriting = process.env['WRITE_GUIDES'] === '1';

test.each(['guides/analysts', 'guides/administrators', 'operations/guide'])(
  'every command of %s.md prints the documented output',
  async (name) => {
    const file = join(DOCS, `${name}.md`);
    const guide = await readFile(file, 'utf8');
    const steps = guideSteps(guide);
    const outputs: string[] = [];
    for (const step of steps) {
      const output = await doStep(step, folder, environment);
      if (step.kind === 'file') continue;
      outputs.push(output.replaceAll(environment['ROWGRAPH_URL'] ?? '', DEFAULT_URL).replaceAll(folder, '~'));
      if (!isWriting) expect({ [step.command]: shapeOf(output) }).toEqual({ [step.command]: shapeOf(step.shown) });
    }
    expect(outputs.length).toBeGreaterThan(9);
    if (isWriting) await writeFile(file, withOutputs(guide, outputs));
  },
);
