import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { startProgram } from '../../adapters/local-process/start-program';
import { type LaunchedProcess, type ProcessExit } from '../../adapters/system/launch-process';
import { type ApiClient, apiClient } from './api-client';
import { freePort } from './free-port';
import { expectNoLeaks, leaksIn } from './leaks';
import { copyCluster } from './postgres';
import { isFullProof } from './proof-size';
import { settingsOfOwnLog } from './system-event-store';
import { type Part, processesOf, signalTo, type SystemProcess } from './system-processes';
import { TIMEOUT_MS, waitFor } from './wait-for';

export { TIMEOUT_MS };

export interface RunningSystem {
  readonly folder: string;
  /** Origin of the public API. */
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A client that calls as this user; null: without identity. */
  as(username: string | null): ApiClient;
  processes(part?: Part): readonly SystemProcess[];
  /** `kill -9` of every process of a part; resolves when they have ended. */
  kill(part: Part): Promise<void>;
  /** `kill -9` of all processes at once. */
  killEverything(): Promise<void>;
  /** Starts it with the same folder and ports, and with further settings if any; resolves when it is ready. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Ends it by SIGTERM, and by SIGKILL after a minute. */
  stop(): Promise<ProcessExit>;
  /** Its output so far, of all starts. */
  output(): string;
  /** Ends it, asserts that no process is left and no log contains a secret, and removes the folder. */
  close(): Promise<void>;
}

const packageRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
export const START_PROGRAM = join(packageRoot(__dirname), 'dist', 'adapters', 'start', 'start.js');

/**
 * Starts the whole system as a separate program, in a new folder and on free ports, with the ops user `olivia` and the
 * analysts `ada` and `bob`.
 */
export const startRunningSystem = async (
  prepare?: (warehouse: string) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
  admitUsers: (system: RunningSystem) => Promise<void> = admitOliviaAdaAndBob,
): Promise<RunningSystem> => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-system-'));
  const warehouse = join(folder, 'warehouse');
  await mkdir(warehouse);
  if (settings['ROWGRAPH_DATABASE_URL'] === undefined) await copyCluster(join(folder, 'postgres'));
  await prepare?.(warehouse);
  const [port, internalPort] = [await freePort(), await freePort()];
  const system = systemIn(folder, port, {
    ROWGRAPH_DATA_DIR: folder,
    ROWGRAPH_PORT: String(port),
    ROWGRAPH_INTERNAL_PORT: String(internalPort),
    ROWGRAPH_DATABASE_CONNECT_TIMEOUT: '60s',
    ...(isFullProof ? { ROWGRAPH_LOG_LEVEL: 'trace' } : {}),
    ...(settings['ROWGRAPH_EVENT_STORE'] === undefined ? settingsOfOwnLog() : {}),
    ...settings,
  });
  try {
    await system.start();
    await admitUsers(system);
    return system;
  } catch (error) {
    await system.close();
    throw error;
  }
};

export const admitOliviaAdaAndBob = async (system: Pick<RunningSystem, 'as'>): Promise<void> => {
  await system.as(null).call('bootstrap', { body: { username: 'olivia' } });
  for (const username of ['ada', 'bob']) await system.as('olivia').call('createUser', { body: { username } });
};

const systemIn = (folder: string, port: number, environment: Readonly<Record<string, string>>): RunningSystem => {
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  let run: { readonly program: LaunchedProcess; hasEnded: boolean } | null = null;

  const processes = (part?: Part): readonly SystemProcess[] =>
    processesOf(folder).filter((process) => part === undefined || process.part === part);
  const killAll = async (select: () => readonly SystemProcess[]): Promise<void> => {
    const victims = select().map(({ pid }) => pid);
    if (victims.length === 0) throw new Error('There is no such process to kill.');
    signalTo(victims, 'SIGKILL');
    await waitFor('the killed processes have ended', () => !select().some(({ pid }) => victims.includes(pid)));
  };
  const stop: RunningSystem['stop'] = async () => {
    if (run === null) throw new Error('It has not been started.');
    await run.program.stop(TIMEOUT_MS);
    return run.program.exited;
  };

  return {
    folder,
    url,
    environment,
    as: (username) => apiClient(url, username),
    processes,
    kill: (part) => killAll(() => processes(part)),
    killEverything: () => killAll(() => processes()),
    output: () => lines.join('\n'),
    start: async (settings = {}) => {
      const started = startProgram({
        programPath: START_PROGRAM,
        environment: { ...environment, ...settings },
        onLine: (line) => lines.push(line),
      });
      if (isLeft(started)) throw new Error(started.left.reason);
      const current = { program: started.right, hasEnded: false };
      void started.right.exited.then(() => (current.hasEnded = true));
      run = current;
      await waitFor('the system is ready', async () => current.hasEnded || (await isReady(url)), TIMEOUT_MS);
      if (current.hasEnded) throw new Error(`The system did not start:\n${lines.slice(-20).join('\n')}`);
    },
    stop,
    close: async () => {
      const isRunning = run?.hasEnded === false;
      const around = isRunning && isFullProof ? await metricsAndCommands(environment, processes()) : [];
      if (isRunning) await stop();
      const leaks = isFullProof ? leaksIn([...lines, ...around], environment) : [];
      const left = await whatStays(processes);
      signalTo(
        left.map(({ pid }) => pid),
        'SIGKILL',
      );
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      if (left.length > 0) throw new Error(`Processes were left over:\n${left.map(describe).join('\n')}`);
      expectNoLeaks('The system', leaks);
    },
  };
};

const describe = ({ pid, command }: SystemProcess): string => `${pid} ${command}`;

/** The metrics of a system and the command lines of its processes. */
const metricsAndCommands = async (
  environment: Readonly<Record<string, string>>,
  processes: readonly SystemProcess[],
): Promise<readonly string[]> => {
  const metrics = await fetch(`http://127.0.0.1:${environment['ROWGRAPH_INTERNAL_PORT']}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );
  return [...metrics.split('\n'), ...processes.map(({ command }) => command)];
};

/** The processes that do not end in time. */
const whatStays = async (processes: () => readonly SystemProcess[]): Promise<readonly SystemProcess[]> => {
  await waitFor('all processes have ended', () => processes().length === 0).catch(() => undefined);
  return processes();
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await apiClient(url, null).send('GET', '/ready')).status === 200;
  } catch {
    return false;
  }
};
