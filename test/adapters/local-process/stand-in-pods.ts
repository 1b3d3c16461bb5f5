import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { ProcessPodRuntime, type ProcessPodRuntimeOptions } from '../../../adapters/local-process/process-pod-runtime';
import { processIdentity, readProcessTable } from '../../../adapters/system/process-table';
import { type PodStatus } from '../../../domain/instance';
import { type PodSpec } from '../../../domain/ports/pod-runtime';
import { expectRight } from '../../support/given-when-then';
import { waitFor } from '../../support/wait-for';

export const STAND_IN_POD = join(__dirname, '../../support/programs/stand-in-pod.cjs');

export interface StandInPods {
  readonly directory: string;
  readonly runtime: ProcessPodRuntime;
  /** Lines that the runtime logged. */
  readonly logged: string[];
  /** Requests one of the stand-in's actions from a pod. */
  ask(urlSlug: string, path: string): Promise<unknown>;
  /** Starts a pod and waits until it listens. */
  start(spec: PodSpec): Promise<void>;
  /** Ends a pod and waits until it is gone. */
  end(spec: PodSpec): Promise<void>;
  statusOf(spec: PodSpec): Promise<PodStatus | undefined>;
  /** The folder of an instance's pod. */
  folderOf(instanceId: number): string;
  /** The processes that run as the pod of an instance. */
  programsOf(instanceId: number): readonly number[];
  close(): Promise<void>;
}

/** A process runtime with stand-in pods in its own folder. */
export const openStandInPods = async (options: Partial<ProcessPodRuntimeOptions> = {}): Promise<StandInPods> => {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'rowgraph pods ')));
  const logged: string[] = [];
  const runtime = new ProcessPodRuntime({
    programPath: STAND_IN_POD,
    directory,
    environmentFor: () => ({}),
    platformCheck: (kind) => (kind === 'graphdb_a' ? null : `${kind} is not available on this platform; use graphdb_a`),
    log: pino({ level: 'debug' }, { write: (line) => logged.push(line) }),
    ...options,
    timing: { disconnectMs: 2_000, sampleEveryMs: 50, ...options.timing },
  });
  const folderOf = (instanceId: number): string => join(directory, `instance-${instanceId}`);
  const { signal } = new AbortController();
  const statusOf: StandInPods['statusOf'] = async ({ urlSlug, life }) =>
    expectRight(await runtime.listPods()).find((pod) => pod.urlSlug === urlSlug && pod.life === life);
  return {
    directory,
    folderOf,
    statusOf,
    start: async (spec) => {
      expectRight(await runtime.createPod(spec, signal));
      await waitFor('the pod is ready', async () => (await statusOf(spec))?.phase === 'ready');
    },
    end: async (spec) => {
      expectRight(await runtime.deletePod(spec, signal));
      await waitFor('the pod is deleted', async () => (await statusOf(spec)) === undefined);
    },
    programsOf: (instanceId) => programsIn(folderOf(instanceId)),
    runtime,
    logged,
    ask: async (urlSlug, path) => {
      const answer = await fetch(`${runtime.routeOf(urlSlug)?.url ?? 'http://unknown'}${path}`);
      return answer.json();
    },
    close: async () => {
      await runtime.stopAll();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

export const podSpec = (change: Partial<PodSpec> = {}): PodSpec => ({
  instanceId: 7,
  urlSlug: randomUUID(),
  life: 1,
  wrapperType: 'graphdb_a',
  ownerUsername: 'ada',
  memoryBytes: 256 * 1024 * 1024,
  cpuCores: 1,
  snapshotBytes: 1_000_000,
  instanceUrl: 'https://graphs.example/x',
  ...change,
});

/** Whether a process is alive; a zombie is not. */
export const lives = (pid: number): boolean => readProcessTable().some((entry) => entry.pid === pid);

/** The programs (not their watchers) that work in a folder. */
const programsIn = (folder: string): readonly number[] =>
  readProcessTable()
    .map(({ pid }) => pid)
    .filter(
      (pid) => processIdentity(pid)?.command.startsWith(process.execPath) === true && workingFolderOf(pid) === folder,
    );

const workingFolderOf = (pid: number): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has already ended.
    return null;
  }
};
