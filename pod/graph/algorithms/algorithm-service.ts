import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { type GraphEngine } from '../engine/graph-engine';
import { type Instance } from '../instance';
import { type JobOutput } from './algorithm-job';
import { type Execution, type ExecutionResult } from './executions';
import { planRun, type PlannedRun } from './plan-run';
import { runJob, type RunningJob } from './run-job';
import { type RunRequest } from './run-request';
import { type RunControl, type Runs } from './runs';

/** Runs the algorithms the pod computes itself, each in a process of its own. */
export interface AlgorithmService {
  /** Checks the request against the graph, takes the lock and starts; the run goes on after the answer. */
  readonly start: (request: RunRequest, shownName: string, username: string) => Either<DomainError, Execution>;
  /** Processes of the run in progress, for measuring memory. */
  readonly processIds: () => readonly number[];
  /** Throws away what a forgotten run has left. */
  readonly forget: (execution: Execution) => void;
}

export interface AlgorithmServiceOptions {
  readonly instance: Instance;
  readonly engine: GraphEngine;
  readonly runs: Runs;
}

export const createAlgorithmService = ({ instance, engine, runs }: AlgorithmServiceOptions): AlgorithmService => {
  const { settings } = instance;
  let job: RunningJob | null = null;

  const compute = async (
    { request, graph }: PlannedRun,
    output: JobOutput,
    scratchDirectory: string,
    control: RunControl,
  ): Promise<Either<string, void>> => {
    const { parameters, source, target, entry } = request;
    const { memoryBytes, cpuCores: threads } = settings;
    const whole = { algorithm: entry.choice, parameters, graph, source, target, output, scratchDirectory };
    job = runJob({ ...whole, memoryBytes: memoryBytes / 4, threads }, control);
    const outcome = await job.outcome;
    job = null;
    return outcome;
  };

  const store = async (
    planned: PlannedRun,
    files: readonly string[],
    onStored: (seconds: number) => void,
  ): Promise<Either<string, ExecutionResult>> => {
    const startMs = performance.now();
    let nodesUpdated = 0;
    for (const [place, { label, property }] of planned.targets.entries()) {
      const written = await engine.writeNodes({ label, property, parquetFile: files[place] ?? '' });
      if (isLeft(written)) {
        return left(`${property.name} could not be stored on the ${label} nodes: ${written.left.reason}`);
      }
      instance.onNodeProperty(label, property);
      nodesUpdated += written.right;
    }
    onStored((performance.now() - startMs) / 1000);
    return right({ kind: 'property', nodesUpdated });
  };

  const work = async (planned: PlannedRun, control: RunControl): Promise<Either<string, ExecutionResult>> => {
    const directory = join(settings.dataDirectory, 'algorithms', control.executionId);
    const scratch = join(directory, 'scratch');
    await mkdir(scratch, { recursive: true });
    const { request, targets } = planned;
    const { valueType } = request.entry;
    const stored = targets.length > 0 && valueType !== null;
    const files = targets.map((_, place) => join(scratch, `values-${place}.parquet`));
    const file = join(directory, 'result.json');
    const output: JobOutput = stored
      ? { kind: 'values', files, valueType }
      : { kind: 'json', file, native: request.native, valueType };
    let kept = false;
    try {
      const computed = await compute(planned, output, scratch, control);
      if (isLeft(computed)) return computed;
      if (control.signal.aborted) return left('The run was ended before its result was stored.');
      if (stored) return await store(planned, files, (storeSeconds) => control.onTimings({ storeSeconds }));
      kept = true;
      return right({ kind: 'file', file });
    } finally {
      await rm(kept ? scratch : directory, { recursive: true, force: true });
    }
  };

  return {
    start: (request, shownName, username) => {
      const [graph, mapping] = [instance.graph(), instance.mapping()];
      if (graph === null || mapping === null) {
        return left(domainError('SERVICE_UNAVAILABLE', 'The graph is not loaded; wait until /ready answers 200.'));
      }
      const planned = planRun(request, graph, mapping);
      if (isLeft(planned)) return planned;
      const { propertyName, timeoutMs, native } = request;
      const type = native ? ('native' as const) : ('graphlib' as const);
      const writeBack = propertyName !== null;
      return runs.start({ algorithm: shownName, type, username, propertyName, writeBack, timeoutMs }, (control) =>
        work(planned.right, control),
      );
    },
    processIds: () => (job === null ? [] : [job.pid]),
    forget: ({ end }) => {
      if (end?.status !== 'completed' || end.result.kind !== 'file') return;
      void rm(dirname(end.result.file), { recursive: true, force: true });
    },
  };
};
