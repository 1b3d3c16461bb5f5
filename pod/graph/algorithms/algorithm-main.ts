import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DuckdbSession, openDuckdb } from '../duckdb/duckdb-session';
import { type Convergence, type KernelResult, type KernelRun } from './algorithm';
import { type AlgorithmJob, type JobMessage, type RunReport } from './algorithm-job';
import { algorithmOf } from './catalogue';
import { type CompactGraph } from './graph/compact-graph';
import { runLibraryFunction } from './library/run-library-function';
import { findNodes, readKeys } from './node-keys';
import { readGraph } from './read-graph';
import { nodesOf, writeResult, writeValues } from './write-result';

/** The process of one algorithm run: receives a job, reports progress and the outcome, and exits. */
const LOWEST_PRIORITY = 19;
const PROGRESS_INTERVAL_MS = 500;

const report = (change: RunReport): void => {
  const message: JobMessage = { type: 'report', report: change };
  process.send?.(message);
};

/** Lower CPU priority than queries, and the first process to be killed when memory runs out. */
const yieldToQueries = async (): Promise<void> => {
  setPriority(LOWEST_PRIORITY);
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
};

const createProgress = (): ((share: number) => void) => {
  let lastMs = performance.now();
  return (share) => {
    if (performance.now() - lastMs < PROGRESS_INTERVAL_MS) return;
    lastMs = performance.now();
    report({ progress: Math.min(1, Math.max(0, share)) });
  };
};

const execute = async (job: AlgorithmJob): Promise<Either<string, void>> => {
  await yieldToQueries();
  const session = await openDuckdb(job);
  try {
    let startMs = performance.now();
    const lap = (): number => {
      const seconds = (performance.now() - startMs) / 1000;
      startMs += 1000 * seconds;
      return seconds;
    };
    report({ timings: { start_seconds: process.uptime() } });
    lap();
    const graph = await readGraph(session, job.graph);
    const graph_memory_bytes = process.resourceUsage().maxRSS * 1024;
    report({ timings: { graph_seconds: lap(), graph_memory_bytes } });
    const run = await kernelRun(session, job);
    if (isLeft(run)) return run;
    let keysSeconds = lap();
    const result = compute(job, graph, run.right);
    if (isLeft(result)) return result;
    report({ timings: { compute_seconds: lap() } });
    const { output } = job;
    if (output.kind === 'json') {
      const key = await readKeys(session, job.graph, graph.nodeCount, nodesOf(result.right, output.top));
      keysSeconds += lap();
      report({ timings: { keys_seconds: keysSeconds } });
      await writeResult(output.file, result.right, key, output);
    } else {
      const values = perNode(result.right);
      if (values === null)
        return left(`The result is ${result.right.type}, not a value per node; leave property_name out.`);
      await writeValues(session, values, output.valueType, output.files);
    }
    report({ timings: { output_seconds: lap() } });
    return right(undefined);
  } finally {
    session.close();
  }
};

/** Finds the nodes of the request. */
const kernelRun = async (session: DuckdbSession, job: AlgorithmJob): Promise<Either<string, KernelRun>> => {
  const { source, target } = job;
  const lists = Object.values(job.parameters).filter(Array.isArray).flat(Infinity) as readonly string[];
  const named = [source, target, ...lists].filter((name) => name !== null);
  const found = named.length === 0 ? new Map<string, number>() : await findNodes(session, job.graph, named);
  for (const [end, name] of Object.entries({ source, target })) {
    if (name !== null && !found.has(name))
      return left(`${end} ${name} is not a node of this graph; use a primary key.`);
  }
  const numberOf = (name: string | null): number | null => (name === null ? null : (found.get(name) ?? null));
  const iterated = (convergence: Convergence): void => report({ convergence });
  return right({ source: numberOf(source), target: numberOf(target), numberOf, progress: createProgress(), iterated });
};

const compute = (job: AlgorithmJob, graph: CompactGraph, run: KernelRun): Either<string, KernelResult> => {
  const algorithm = algorithmOf(job.kind, job.algorithm);
  if (algorithm === undefined) return left(`Unknown algorithm ${job.algorithm}.`);
  return algorithm.engine === 'library'
    ? runLibraryFunction(algorithm.callable, graph, job.parameters, run)
    : algorithm.compute(graph, job.parameters, run);
};

/** The value stored per node; of several maps the first. */
const perNode = (result: KernelResult) => {
  if (result.type === 'node_maps') return Object.values(result.maps)[0] ?? null;
  return result.type === 'node_values' ? result.values : null;
};

const answer = async (job: AlgorithmJob): Promise<void> => {
  const outcome = await execute(job).catch((error: unknown): Either<string, void> => {
    return left(error instanceof Error ? error.message : String(error));
  });
  const message: JobMessage = isLeft(outcome) ? { type: 'failed', reason: outcome.left } : { type: 'done' };
  process.send?.(message, () => process.exit());
};

process.on('message', (job: AlgorithmJob) => void answer(job));
