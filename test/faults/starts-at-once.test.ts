import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../adapters/local-process/start-program';
import { processIdentity } from '../../adapters/system/process-table';
import { expectRight } from '../support/given-when-then';
import { copyCluster } from '../support/postgres';
import { START_PROGRAM, TIMEOUT_MS } from '../support/running-system';
import { settingsOfOwnLog } from '../support/system-event-store';
import { killProcessesOf, processesOf } from '../support/system-processes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(4 * TIMEOUT_MS);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-starts-'));
  await copyCluster(join(folder, 'postgres'));
});
afterEach(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const killAll = async (): Promise<void> => {
  killProcessesOf(folder);
  await waitFor('the processes of the system have ended', () => processesOf(folder).length === 0);
};

const start = (settings: Readonly<Record<string, string>>) => {
  const lines: string[] = [];
  const environment = { ROWGRAPH_DATA_DIR: folder, ROWGRAPH_PORT: '0', ROWGRAPH_INTERNAL_PORT: '0', ...settings };
  const program = expectRight(
    startProgram({ programPath: START_PROGRAM, environment, onLine: (line) => lines.push(line) }),
  );
  return { program, lines, isReady: () => lines.includes('rowgraph is ready.') };
};

it('one of six concurrent starts becomes ready, and the others are rejected by the lock, even after it was killed', async () => {
  const settings = settingsOfOwnLog();
  for (const _ of ['with no lock', 'with that of a killed process']) {
    const starts = Array.from({ length: 6 }, () => start(settings));
    const ended = new Set<unknown>();
    starts.forEach((one) => void one.program.terminated.then(() => ended.add(one)));
    await waitFor(
      'one start is ready, and the others have ended',
      () => ended.size === 5 && starts.some((one) => one.isReady()),
      TIMEOUT_MS,
    );

    const [winner] = starts.filter((one) => !ended.has(one));
    const owner = winner?.program.pid ?? 0;
    const refusal = expect.stringContaining(`process ${owner} on ${hostname()}`) as string;
    expect(starts.filter((one) => one !== winner).map(({ lines }) => lines)).toEqual(Array(5).fill([refusal]));
    const server = Number(
      (await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
    );
    expect(processIdentity(server)?.command).toContain(`cluster_name=rowgraph-owner-${owner} `);
    await killAll();
  }
});
