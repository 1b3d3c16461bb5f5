import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';
import { type PodEnvironment } from '../../adapters/contracts/graph-pod/settings';
import { FilesystemObjectStore } from '../../adapters/filesystem/filesystem-object-store';
import {
  killTree,
  proportionalBytes,
  readProcessTable,
  residentBytes,
  treeOf,
} from '../../adapters/system/process-table';
import { type ObjectStore } from '../../domain/ports/object-store';
import { startStandInControlPlane } from './stand-in-control-plane';

export type PodKind = 'graphdb_a' | 'graphdb_b';

/** A running pod with a loaded graph, and the cost of the load. */
export interface BenchPod {
  /** From the start of the program to its report that it is running. */
  readonly loadSeconds: number;
  /**
   * Peak resident memory of the pod's processes during the load. Pages they share are counted once, as by the memory
   * limit.
   */
  readonly peakBytes: number;
  /** Its port on 127.0.0.1. */
  readonly port: number;
  /** Returns the body of a 2xx answer; rejects for any other status. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const MEMORY_BYTES = 3 * 2 ** 30;
/** Counting shared pages is so slow that more frequent samples would slow the pod down. */
const SAMPLE_MS = 250;

/**
 * Starts the pod program as the control plane would, with two cores and the memory that the pod of this graph would
 * get.
 */
export const startBenchPod = async (
  root: string,
  mapping: InstanceMapping,
  kind: PodKind,
  objectStore: ObjectStore = new FilesystemObjectStore(root),
): Promise<BenchPod> => {
  let onEnded: (report: Readonly<Record<string, unknown>>) => void = () => undefined;
  const reported = new Promise<Readonly<Record<string, unknown>>>((resolve) => (onEnded = resolve));
  const controlPlane = await startStandInControlPlane(objectStore, mapping, (report) => {
    if (report['status'] !== 'starting') onEnded(report);
  });
  const directory = await mkdtemp(join(root, `${kind}-`));
  const environment: Partial<Record<keyof PodEnvironment, string>> = {
    ROWGRAPH_POD_INSTANCE_ID: '42',
    ROWGRAPH_POD_SLUG: 'bench',
    ROWGRAPH_POD_INSTANCE_URL: 'http://localhost/bench',
    ROWGRAPH_POD_OWNER: 'ada',
    ROWGRAPH_POD_WRAPPER_TYPE: kind,
    ROWGRAPH_POD_CONTROL_PLANE_URL: controlPlane.url,
    ROWGRAPH_POD_TOKEN: 'bench',
    ROWGRAPH_POD_DATA_DIR: directory,
    ROWGRAPH_POD_CACHE_DIR: join(root, 'programs'),
    ROWGRAPH_POD_MEMORY_BYTES: String(MEMORY_BYTES),
    ...{ ROWGRAPH_POD_CPU_CORES: '2', ROWGRAPH_LOG_LEVEL: 'error' },
  };
  const startMs = performance.now();
  const child = fork(join(__dirname, '../../pod/graph/main.js'), {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
    execArgv: [],
  });
  const leader = child.pid ?? 0;
  const exited = once(child, 'exit');
  const listening = new Promise<number>((resolve) =>
    child.on('message', (message: { readonly port: number }) => resolve(message.port)),
  );
  let peakBytes = 0;
  const sample = async (): Promise<void> => {
    const pids = treeOf(readProcessTable(), leader).map(({ pid }) => pid);
    if (residentBytes(pids) > peakBytes) peakBytes = Math.max(peakBytes, await proportionalBytes(pids));
  };
  const sampler = setInterval(() => void sample(), SAMPLE_MS);
  const report = await Promise.race([reported, exited.then(() => ({ status: 'ended' }))]);
  const loadSeconds = (performance.now() - startMs) / 1000;
  clearInterval(sampler);
  const agent = new Agent({ keepAlive: true });
  const stop = async (): Promise<void> => {
    agent.destroy();
    child.kill('SIGTERM');
    await exited;
    await killTree(leader);
    controlPlane.close();
  };
  if (report['status'] !== 'running') {
    await stop();
    throw new Error(`The pod of ${kind} did not get ready: ${JSON.stringify(report)}`);
  }
  const port = await listening;
  return { loadSeconds, peakBytes, port, call: sender(agent, port), stop };
};

const sender =
  (agent: Agent, port: number): BenchPod['call'] =>
  (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text ?? ''), 'x-username': 'ada' }; // prettier-ignore
      const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (answer += chunk));
        response.on('error', reject);
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(answer);
          else reject(new Error(`${method} ${path} answered ${status}: ${answer.slice(0, 500)}`));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
