import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchPod, type PodKind } from './bench-pod';

/** An execution as `/algo/executions` lists it. */
interface ListedRun {
  readonly execution_id: string;
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
  const run = await until(pod, ({ status }) => status !== 'running');
  if (run.status !== 'completed') throw new Error(`${name} ${run.status}: ${run.error ?? ''}`);
  const time = (field: string): number => run.timings?.[field] ?? 0;
  return {
    graphSeconds: time('graph_seconds'),
    graphBytes: time('graph_memory_bytes'),
    computeSeconds: time('compute_seconds'),
    storeSeconds: time('output_seconds') + time('store_seconds'),
  };
};

/** Stores values on all nodes repeatedly; returns the number of failed runs, and prints why they failed. */
export const writeBackTimes = async (
  pod: BenchPod,
  kind: PodKind,
  times: number,
  say: (line: string) => void,
): Promise<number> => {
  const [names, body] = WRITING[kind];
  let failures = 0;
  for (let turn = 0; turn < times; turn += 1) {
    const name = names[turn % names.length] ?? '';
    await pod.call('POST', `/algo/${name}`, {
      ...body,
      [kind === 'graphdb_a' ? 'property_name' : 'result_property']: name,
    });
    const run = await until(pod, ({ status }) => status !== 'running');
    if (run.status === 'completed') continue;
    failures += 1;
    say(`${name} ${run.status}: ${run.error ?? run.error_message ?? ''}`);
  }
  return failures;
};

const WRITING: Readonly<Record<PodKind, readonly [readonly string[], object]>> = {
  graphdb_a: [['pagerank', 'connected_components'], { node_label: 'Person' }],
  graphdb_b: [['pagerank', 'wcc'], {}],
};

/** Measures while an algorithm computes; cancels the run afterwards if it is still running. */
export const whileComputing = async <A>(pod: BenchPod, name: string, measure: () => Promise<A>): Promise<A> => {
  await pod.call('POST', `/graphlib/${name}`, {});
  const { execution_id: id } = await until(pod, ({ timings }) => timings?.['graph_seconds'] !== undefined);
  const measured = await measure();
  if ((await newest(pod)).status === 'running') await pod.call('DELETE', `/algo/executions/${id}`);
  return measured;
};

const until = async (pod: BenchPod, holds: (run: ListedRun) => boolean): Promise<ListedRun> => {
  for (;;) {
    const run = await newest(pod);
    if (holds(run) || run.status !== 'running') return run;
    await sleep(POLL_MS);
  }
};

const newest = async ({ call }: BenchPod): Promise<ListedRun> => {
  const { executions } = JSON.parse(await call('GET', '/algo/executions?limit=1')) as {
    readonly executions: readonly ListedRun[];
  };
  const [run] = executions;
  if (run === undefined) throw new Error('The pod lists no execution.');
  return run;
};
