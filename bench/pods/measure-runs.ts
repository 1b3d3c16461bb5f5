import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchPod } from './bench-pod';

/** An execution as `/algo/executions` lists it. */
interface ListedRun {
  readonly status: string;
  readonly error?: string;
  readonly error_message?: string;
  readonly timings?: Readonly<Record<string, number>>;
}

export interface RunTimes {
  readonly graphSeconds: number;
  readonly graphBytes: number;
  readonly computeSeconds: number;
  /** Outputting and storing the values. */
  readonly storeSeconds: number;
}

const POLL_MS = 100;

/** Runs an algorithm to its end and returns the times that it reports. */
export const measureRun = async (pod: BenchPod, name: string, body: unknown = {}): Promise<RunTimes> => {
  await pod.call('POST', `/graphlib/${name}`, body);
  const run = await ended(pod);
  if (run.status !== 'completed') throw new Error(`${name} ${run.status}: ${run.error ?? ''}`);
  const time = (field: string): number => run.timings?.[field] ?? 0;
  return {
    graphSeconds: time('graph_seconds'),
    graphBytes: time('graph_memory_bytes'),
    computeSeconds: time('compute_seconds'),
    storeSeconds: time('output_seconds') + time('store_seconds'),
  };
};

/** Stores values on all nodes of a pod of FalkorDB repeatedly; returns the number of failed runs, and prints why they failed. */
export const writeBackTimes = async (pod: BenchPod, times: number, say: (line: string) => void): Promise<number> => {
  let failures = 0;
  for (let turn = 0; turn < times; turn += 1) {
    const name = turn % 2 === 0 ? 'pagerank' : 'wcc';
    await pod.call('POST', `/algo/${name}`, { result_property: name });
    const run = await ended(pod);
    if (run.status === 'completed') continue;
    failures += 1;
    say(`${name} ${run.status}: ${run.error ?? run.error_message ?? ''}`);
  }
  return failures;
};

/** The newest run, when it has ended. */
const ended = async ({ call }: BenchPod): Promise<ListedRun> => {
  for (;;) {
    const { executions } = JSON.parse(await call('GET', '/algo/executions?limit=1')) as {
      readonly executions: readonly ListedRun[];
    };
    const [run] = executions;
    if (run === undefined) throw new Error('The pod lists no execution.');
    if (run.status !== 'running') return run;
    await sleep(POLL_MS);
  }
};
