import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exactJson } from '../../../../adapters/client/graph-answer';
import { programPath } from '../../../../adapters/system/package-root';
import { expectPodAnswer } from '../../../support/documented-answers';
import { expectNoLeaks, leaksIn } from '../../../support/leaks';
import { waitFor } from '../../../support/wait-for';
import { type ControlPlaneServer } from './control-plane-server';
import { PROGRAM_CACHE } from './falkordb';

export const SLUG = '0b6c1de2-54a1-4f0e-9f9b-6a3f5a5f7c11';

/** The pod program as a process, and a client of its API. */
export interface PodProcess {
  readonly child: ChildProcess;
  readonly call: (method: string, path: string, body?: unknown, username?: string) => Promise<PodAnswer>;
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly output: () => string;
  readonly port: () => number;
}

export interface PodAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export const podEnvironment = (
  controlPlaneUrl: string,
  dataDirectory: string,
  kind: 'graphdb_a' | 'graphdb_b' = 'graphdb_a',
  memoryBytes = 2 ** 30,
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  ROWGRAPH_POD_INSTANCE_ID: '42',
  ROWGRAPH_POD_SLUG: SLUG,
  ROWGRAPH_POD_INSTANCE_URL: `http://localhost/${SLUG}`,
  ROWGRAPH_POD_OWNER: 'ada',
  ROWGRAPH_POD_WRAPPER_TYPE: kind,
  ROWGRAPH_POD_CONTROL_PLANE_URL: controlPlaneUrl,
  ROWGRAPH_POD_TOKEN: 'the-token',
  ROWGRAPH_POD_DATA_DIR: dataDirectory,
  ROWGRAPH_POD_CACHE_DIR: PROGRAM_CACHE,
  ROWGRAPH_POD_MEMORY_BYTES: String(memoryBytes),
  ROWGRAPH_POD_MEMORY_FILE: join(dataDirectory, 'memory.max'),
  ROWGRAPH_POD_CPU_CORES: '2',
});

/** Starts the compiled program and resolves when it listens. */
export const startPod = async (
  controlPlane: ControlPlaneServer,
  dataDirectory: string,
  kind: 'graphdb_a' | 'graphdb_b' = 'graphdb_a',
  memoryBytes?: number,
  /** Runs it with another program than node, and with more variables. */
  wrapper: { readonly execPath?: string; readonly env?: Record<string, string> } = {},
): Promise<PodProcess> => {
  const env = { ...podEnvironment(controlPlane.url, dataDirectory, kind, memoryBytes), ...wrapper.env };
  const { execPath = process.execPath } = wrapper;
  const child = fork(programPath('pod/graph/main'), { env, silent: true, execArgv: [], execPath });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  const ended = exited.then((how) => {
    expectNoLeaks('The log of the pod', leaksIn(output.split('\n'), env));
    return how;
  });
  let port = 0;
  child.on('message', (message: { type: string; port: number }) => {
    if (message.type === 'listening') port = message.port;
  });
  await waitFor('the pod listens', () => port > 0 || child.exitCode !== null);
  return {
    child,
    ended,
    output: () => output,
    port: () => port,
    call: async (method, path, body, username) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(username === undefined ? {} : { 'x-username': username }),
        },
        ...(body === undefined ? {} : { body: exactJson(body) }),
      });
      const text = await response.text();
      const headers = Object.fromEntries(response.headers);
      const below = path.startsWith(`/${SLUG}`) ? path.slice(SLUG.length + 1) || '/' : path;
      expectPodAnswer(kind, method, below, { status: response.status, headers, text });
      return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
    },
  };
};

/** Ids of the direct children of a process. */
export const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
};

export const isAlive = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return status !== '' && !/^State:\s+[ZX]/m.test(status);
};

/** The processor time of a process, in hundredths of a second. */
export const cpuTicksOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user ?? 0) + (system ?? 0);
};
