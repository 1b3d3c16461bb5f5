import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { type GraphEngine } from '../engine/graph-engine';
import { type Instance } from '../instance';
import { type InstanceLock, type LockHolder } from '../lock/instance-lock';
import { type Execution, type ExecutionEnd, type Executions } from './executions';
import { NATIVE_ALGORITHMS, type NativeAlgorithm } from './native-algorithms';
import { planRun, type PlannedRun } from './plan-run';
import { runJob, type RunningJob } from './run-job';

export interface AlgorithmService {
  /** Takes the lock and starts; the run goes on after the answer. `body` is what the request sent. */
  readonly start: (algorithm: NativeAlgorithm, body: unknown, username: string) => Either<DomainError, Execution>;
  readonly processIds: () => readonly number[];
  /** Ends the run in progress, if any. */
  readonly stop: () => void;
}

export interface AlgorithmServiceOptions {
  readonly instance: Instance;
  readonly engine: GraphEngine;
  readonly lock: InstanceLock;
  readonly executions: Executions;
  readonly now: () => Date;
  readonly onActivity: () => void;
}

export const findAlgorithm = (name: string): Either<DomainError, NativeAlgorithm> => {
  const algorithm = NATIVE_ALGORITHMS.get(name);
  if (algorithm !== undefined) return right(algorithm);
  const known = [...NATIVE_ALGORITHMS.keys()].join(', ');
  const message = `There is no native algorithm ${name}; there are: ${known}.`;
  return left(domainError('ALGORITHM_NOT_FOUND', message, { algorithm: name }));
};

export const createAlgorithmService = (options: AlgorithmServiceOptions): AlgorithmService => {
  const { instance, engine, lock, executions, now, onActivity } = options;
  const { settings } = instance;
  let job: RunningJob | null = null;

  const run = async (executionId: string, algorithm: NativeAlgorithm, planned: PlannedRun): Promise<ExecutionEnd> => {
    const directory = join(settings.dataDirectory, 'algorithms', executionId);
    const resultFile = join(directory, 'values.parquet');
    await mkdir(directory, { recursive: true });
    try {
      job = runJob({
        algorithm: algorithm.name,
        parameters: planned.run.parameters,
        nodes: planned.nodes,
        edges: planned.edges,
        resultFile,
        scratchDirectory: directory,
        memoryBytes: settings.memoryBytes / 4,
        threads: settings.cpuCores,
      });
      const outcome = await job.outcome;
      if (!outcome.ok) return { status: 'failed', at: now(), error: outcome.reason };
      const { nodeLabel: label, propertyName } = planned.run;
      const written = await engine.writeNodes({ label, property: planned.property, parquetFile: resultFile });
      if (isLeft(written)) {
        const error = `${propertyName} could not be stored on the ${label} nodes: ${written.left.reason}`;
        return { status: 'failed', at: now(), error };
      }
      instance.onNodeProperty(label, planned.property);
      return { status: 'completed', at: now(), propertyName, nodesUpdated: written.right };
    } finally {
      job = null;
      await rm(directory, { recursive: true, force: true });
    }
  };

  return {
    start: (algorithm, body, username) => {
      const [graph, mapping] = [instance.graph(), instance.mapping()];
      if (graph === null || mapping === null) {
        return left(domainError('SERVICE_UNAVAILABLE', 'The graph is not loaded; wait until /ready answers 200.'));
      }
      const planned = planRun(algorithm, body, graph, mapping);
      if (isLeft(planned)) return planned;
      const execution: Execution = {
        executionId: randomUUID(),
        algorithm: algorithm.name,
        username,
        startedAt: now(),
        end: null,
      };
      const { executionId, startedAt: acquiredAt } = execution;
      const taken = lock.acquire({ username, algorithm: algorithm.name, executionId, acquiredAt });
      if ('heldBy' in taken) return left(locked(taken.heldBy));
      executions.start(execution);
      onActivity();
      void run(executionId, algorithm, planned.right)
        .catch((error: unknown): ExecutionEnd => {
          return { status: 'failed', at: now(), error: error instanceof Error ? error.message : String(error) };
        })
        .then((end) => {
          executions.finish(executionId, end);
          taken.release();
          onActivity();
        });
      return right(execution);
    },
    processIds: () => (job === null ? [] : [job.pid]),
    stop: () => job?.kill(),
  };
};

const locked = ({ username, algorithm, acquiredAt }: LockHolder): DomainError =>
  domainError(
    'RESOURCE_LOCKED',
    `${username} runs ${algorithm} on this instance since ${acquiredAt.toISOString()}; try again when /lock shows locked: false.`,
    { holder_id: username, holder_username: username, algorithm, acquired_at: acquiredAt.toISOString() },
  );
