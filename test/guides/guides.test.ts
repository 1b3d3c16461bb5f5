import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DEFAULT_URL } from '../../adapters/cli/connection';
import { CLI_PROGRAM } from '../support/command-line';
import { doStep, guideSteps, shapeOf, withOutputs } from '../support/guide';
import { freePort } from '../support/free-port';
import { settingsOfOwnLog } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';

const DEMO_MS = 180_000;
jest.setTimeout(2 * DEMO_MS);

const DEMO_PROGRAM = join(dirname(CLI_PROGRAM), '..', 'demo', 'main.js');
const GUIDES = join(__dirname, '..', '..', 'docs', 'guides');

let folder: string;
let demo: ChildProcess;
let environment: NodeJS.ProcessEnv;

/** The demo as a reader of the guides has started it, and `rowgraph` as a command. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-guides-'));
  const port = await freePort();
  demo = spawn(process.execPath, [DEMO_PROGRAM], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ROWGRAPH_DATA_DIR: join(folder, 'data'),
      ROWGRAPH_PORT: String(port),
      ROWGRAPH_INTERNAL_PORT: String(await freePort()),
      ...settingsOfOwnLog(),
    },
  });
  let said = '';
  demo.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  demo.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const command = join(folder, 'rowgraph');
  await writeFile(command, `#!/bin/sh\nexec ${process.execPath} ${CLI_PROGRAM} "$@"\n`);
  await chmod(command, 0o755);
  environment = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    ROWGRAPH_URL: `http://127.0.0.1:${port}`,
  };
  await waitFor('the demo is ready', () => said.includes('Ctrl-C ends it.') || demo.exitCode !== null, DEMO_MS);
  expect({ said, code: demo.exitCode }).toEqual({ said, code: null });
}, 2 * DEMO_MS);

afterAll(async () => {
  const ended = new Promise((resolve) => demo.once('close', resolve));
  demo.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, DEMO_MS);

/** With WRITE_GUIDES=1, what the commands print now is written into the guides. */
const isWriting = process.env['WRITE_GUIDES'] === '1';

test.each(['analysts', 'administrators', 'operations'])(
  'every command of the guide for %s prints what it shows',
  async (name) => {
    const file = join(GUIDES, `${name}.md`);
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
