import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { exitText, launchProcess } from '../../../adapters/system/launch-process';
import { programPath } from '../../../adapters/system/package-root';
import { type DomainError, domainError, invalidField } from '../../../domain/kernel/errors';
import { type DuckdbSession, openDuckdb } from '../duckdb/duckdb-session';
import { type GraphEngine } from '../engine/graph-engine';
import { type GraphProperty } from '../engine/graph-schema';
import { type Instance } from '../instance';
import { type AlgorithmJob, type JobMessage, type JobOutput } from './algorithm-job';
import { type AlgorithmRequest } from './algorithm-request';
import { checkWeights } from './check-weights';
import { labelsWithKey } from './node-keys';
import { type PlannedRun, planRun } from './plan-run';
import { type Execution, type ExecutionResult, type RunControl, type Runs } from './runs';

type Outcome = Promise<Either<string, ExecutionResult>>;

/** Runs algorithms, each in its own process. */
export class AlgorithmService {
  private job: RunningJob | null = null;

  constructor(
    private readonly instance: Instance,
    private readonly engine: GraphEngine,
    readonly runs: Runs,
  ) {}

  /** Checks the request against the graph, acquires the lock and starts the run, which continues after the response. */
  async start(
    request: AlgorithmRequest,
    username: string,
  ): Promise<Either<DomainError<'SERVICE_UNAVAILABLE' | 'VALIDATION_FAILED' | 'RESOURCE_LOCKED'>, Execution>> {
    const [graph, mapping] = [this.instance.graph, this.instance.mapping];
    if (graph === null || mapping === null) {
      return left(domainError('SERVICE_UNAVAILABLE', 'The graph is not loaded; wait until /ready answers 200.'));
    }
    const planned = planRun(request, graph, mapping);
    if (isLeft(planned)) return planned;
    const refusal = await this.refusalOf(planned.right);
    if (refusal !== null) return left(refusal);
    return this.runs.start(planned.right, username, (control) => this.compute(planned.right, control));
  }

  /** The error that only the data shows: a start or end key that several nodes have, or an unsuitable weight. */
  private async refusalOf(planned: PlannedRun): Promise<DomainError<'VALIDATION_FAILED'> | null> {
    const { request, graph } = planned;
    const mayBeAmbiguous = graph.nodes.length > 1 && (request.source !== null || request.target !== null);
    if (!mayBeAmbiguous && request.weightProperty === null) return null;
    const { memoryBytes, cpuCores, dataDirectory } = this.instance.settings;
    const scratchDirectory = join(dataDirectory, 'algorithms', 'scratch');
    const session = await openDuckdb({ memoryBytes: memoryBytes / 16, threads: cpuCores, scratchDirectory });
    try {
      return (mayBeAmbiguous ? await ambiguousEnd(session, planned) : null) ?? (await checkWeights(session, planned));
    } finally {
      session.close();
    }
  }

  /** Processes of the current run, to measure their memory. */
  processIds(): readonly number[] {
    return this.job === null ? [] : [this.job.pid];
  }

  private async compute(planned: PlannedRun, control: RunControl): Outcome {
    const { settings } = this.instance;
    const directory = join(settings.dataDirectory, 'algorithms', control.executionId);
    const scratchDirectory = join(directory, 'scratch');
    await mkdir(scratchDirectory, { recursive: true });
    const { request, graph, labels, property } = planned;
    const { algorithm, parameters, source, target, type, top } = request;
    const files = labels.map((_, place) => join(scratchDirectory, `values-${place}.parquet`));
    const file = join(directory, 'result.json');
    const output: JobOutput =
      property === null || algorithm.valueType === null
        ? { kind: 'json', file, native: type === 'native', valueType: algorithm.valueType, top }
        : { kind: 'values', files, valueType: algorithm.valueType };
    let kept = false;
    try {
      const { kind } = this.engine;
      const job = { kind, algorithm: algorithm.name, parameters, graph, source, target, output, scratchDirectory };
      const limits = { memoryBytes: settings.memoryBytes / 4, threads: settings.cpuCores };
      this.job = runJob({ ...job, ...limits }, control);
      const computed = await this.job.outcome;
      this.job = null;
      if (isLeft(computed)) return computed;
      if (control.signal.aborted) return left('The run was ended before its result was stored.');
      if (property !== null) return await this.store(labels, property, files, control);
      kept = true;
      return right({ kind: 'file', file });
    } finally {
      await rm(kept ? scratchDirectory : directory, { recursive: true, force: true });
    }
  }

  private async store(
    labels: readonly string[],
    property: GraphProperty,
    files: readonly string[],
    { report }: RunControl,
  ): Outcome {
    const startMs = performance.now();
    let nodesUpdated = 0;
    for (const [place, label] of labels.entries()) {
      const written = await this.engine.writeNodes({ label, property, parquetFile: files[place] ?? '' });
      if (isLeft(written)) {
        return left(`${property.name} could not be stored on the ${label} nodes: ${written.left.reason}`);
      }
      this.instance.addNodeProperty(label, property);
      nodesUpdated += written.right;
    }
    report({ timings: { store_seconds: (performance.now() - startMs) / 1000 } });
    return right({ kind: 'property', nodesUpdated });
  }
}

/** The error for a start or end key that several nodes have. */
const ambiguousEnd = async (
  session: DuckdbSession,
  { request: { source, target, type }, graph }: PlannedRun,
): Promise<DomainError<'VALIDATION_FAILED'> | null> => {
  for (const [end, key] of Object.entries({ source, target })) {
    const labels = key === null ? [] : await labelsWithKey(session, graph, key);
    if (labels.length < 2) continue;
    const names = labels.map((label) => `${label}:${key}`).join(' or ');
    return invalidField(type === 'native' ? `${end}_id` : end, `is the key of several nodes; use ${names}`);
  }
  return null;
};

/** A run in a separate process, which releases its memory at the end and can be cancelled by a kill. */
interface RunningJob {
  readonly pid: number;
  /** Left: the message of a failure. */
  readonly outcome: Promise<Either<string, void>>;
}

/**
 * Large arrays in huge pages, which are faster to access; only glibc 2.35 and later supports the setting, other systems
 * ignore it.
 */
const HUGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

/** Starts the process; it is killed when `signal` aborts or has aborted. */
export const runJob = (job: AlgorithmJob, { signal, report }: Omit<RunControl, 'executionId'>): RunningJob => {
  let settle: (outcome: Either<string, void>) => void = () => undefined;
  const outcome = new Promise<Either<string, void>>((resolve) => (settle = resolve));
  const launched = launchProcess({
    command: [process.execPath, programPath('pod/graph/algorithms/algorithm-main')],
    environment: { TZ: 'UTC', ...HUGE_PAGES },
    channel: 'advanced',
    onMessage: (received) => {
      // Both ends share the protocol.
      const message = received as JobMessage;
      if (message.type === 'report') report(message.report);
      else settle(message.type === 'done' ? right(undefined) : left(message.reason));
    },
  });
  if (isLeft(launched)) return { pid: 0, outcome: Promise.resolve(left(launched.left.reason)) };
  const { pid, exited, kill, send } = launched.right;
  const onAbort = (): void => void kill();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  void exited.then((exit) => {
    signal.removeEventListener('abort', onAbort);
    const advice = 'with SIGKILL, memory may have run out: choose a part of the graph or a larger instance';
    settle(left(`The process of the algorithm ended early (${exitText(exit)}); ${advice}.`));
  });
  // If the write fails, the process has ended: its exit is the outcome.
  send(job);
  return { pid, outcome };
};
