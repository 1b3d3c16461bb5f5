import { right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { exportReconciliationJob } from '../../commands/jobs/export-reconciliation';
import { type Job } from '../../commands/jobs/job';
import { lifecycleJob } from '../../commands/jobs/lifecycle';
import { reconciliationJob } from '../../commands/jobs/reconciliation';
import { resourceMonitorJob } from '../../commands/jobs/resource-monitor';
import { runJobs } from '../../commands/jobs/run-job-loop';
import { sealJob } from '../../commands/jobs/seal';
import { verificationJob } from '../../commands/jobs/verification';
import { type CommandPorts } from '../../commands/kit/command-context';
import { type ProcessCommandPorts } from '../../commands/processes/execute-process-command';
import { PROCESS_INPUTS, PROCESSES_VERSION, processInputs } from '../../commands/processes/process-inputs';
import { runProcessWork } from '../../commands/processes/run-process-work';
import { type EventStore, type FeedPage } from '../../domain/ports/event-store';
import { type FeedConsumer, type ParkedEventRetry, PROCESSES } from '../../domain/ports/feed-consumer';
import { type NewlyParked } from '../../projections/feed/apply-events';
import { parkedEventTable } from '../../projections/feed/parked-event-table';
import { readFeed } from '../../projections/feed/read-feed';
import { retryParked } from '../../projections/feed/retry-parked';
import { processWorkProjection } from '../../projections/process-work';
import { projectionConsumer } from '../../projections/projection-consumer';
import { projections } from '../../projections/registry';
import { lifeDirectory } from '../../queries/ending-resources';
import { exportDirectory } from '../../queries/export-jobs';
import { instanceDirectory } from '../../queries/instances';
import { type ReadDatabase } from '../../queries/kit/database';
import { findFirstParked } from '../../queries/parked-events';
import { createPostgresJobRuns } from '../postgres/postgres-job-runs';
import { createPostgresCheckpointStore } from '../postgres/reader-positions';
import { pause } from '../system/retry';
import { sha256 } from '../system/sha256';
import { type Parts } from './parts';
import { verifySlowly } from './verify-slowly';

/** The common ports of the readers of the feed. */
const readerOptions = ({ log, waitingReaders }: Pick<Parts, 'log' | 'waitingReaders'>) => ({
  onWaiting: (reader: string, reason: string | null): void => {
    if (waitingReaders.get(reader) === (reason ?? undefined)) return;
    if (reason === null) {
      waitingReaders.delete(reader);
      log.info({ reader }, `${reader} no longer waits for a newer version`);
    } else {
      waitingReaders.set(reader, reason);
      log.error({ reader }, `${reader} waits: ${reason} See docs/operations/runbooks/upgrade.md`);
    }
  },
  onParked: (reader: string, { streamId, event: { type, position }, error }: NewlyParked): void =>
    log.error(
      { reader, streamId, position, type, error },
      `${reader} cannot apply the ${type} at position ${position}; it skips ${streamId} from there on. See docs/operations/runbooks/parked-events.md`,
    ),
  onError: (what: string, error: unknown): void => log.warn({ err: error }, `${what} failed; trying again`),
  pause,
});

/** Maximum pages without events for a projection before it writes its checkpoint. */
const IDLE_PAGES = 200;

export const projectionConsumers = (pool: Pool): readonly FeedConsumer[] =>
  projections.map((projection) => projectionConsumer(pool, projection));

export const processConsumer = (pool: Pool, ports: CommandPorts): FeedConsumer =>
  processInputs({
    ...ports,
    checkpoints: createPostgresCheckpointStore(pool, PROCESSES_VERSION),
    parked: parkedEventTable(pool, { name: PROCESSES, version: PROCESSES_VERSION, epoch: 0 }),
  });

/** Starts the reader of the projections. */
export const startProjections = (
  parts: Pick<
    Parts,
    'pool' | 'store' | 'catchUp' | 'waitingReaders' | 'inputSignal' | 'workSignal' | 'shutdownSteps' | 'log'
  >,
  onPage: (page: FeedPage) => void,
): void => {
  const { pool, catchUp, inputSignal, workSignal } = parts;
  parts.shutdownSteps.addLoop('projections', (signal) =>
    readFeed({
      ...readerOptions(parts),
      store: parts.store,
      consumers: projectionConsumers(pool),
      idlePages: IDLE_PAGES,
      signal,
      onProgress: catchUp.advance,
      onChanged: (readModel) => {
        catchUp.change(readModel);
        if (readModel === processWorkProjection.name) workSignal.notify();
      },
      onPage: (page) => {
        const input = page.events.findLast(({ type }) => PROCESS_INPUTS.includes(type));
        if (input !== undefined) inputSignal.notify(input.position);
        onPage(page);
      },
    }),
  );
};

/** How long the executor waits for a notification before it polls: timers become due without notifications. */
const LOOK_MS = 1000;

type ProcessParts = Pick<
  Parts,
  'pool' | 'work' | 'waitingReaders' | 'inputSignal' | 'workSignal' | 'shutdownSteps' | 'log'
>;

/** Starts the processes: the reader of their inputs and the executor of their commands and timers. */
export const startProcesses = (parts: ProcessParts, ports: ProcessCommandPorts): void => {
  const { pool, work, inputSignal, workSignal, shutdownSteps } = parts;
  const options = readerOptions(parts);
  const feed = {
    ...options,
    store: ports.store,
    consumers: [processConsumer(pool, ports)],
    types: PROCESS_INPUTS,
    notifications: inputSignal,
    // Pages are rare, and may skip thousands of events without an input of a process.
    idlePages: 1,
  };
  shutdownSteps.addLoop('processes', (signal) => {
    const nextWork = () => workSignal.waitAfter(workSignal.version, LOOK_MS, signal);
    return Promise.all([
      readFeed({ ...feed, signal }),
      runProcessWork({ ...ports, ...options, work, nextWork }, signal),
    ]);
  });
};

/** The retry port for all consumers of the feed. */
export const parkedEventRetry = (
  db: ReadDatabase,
  store: EventStore,
  consumers: readonly FeedConsumer[],
): ParkedEventRetry => ({
  firstOf: (reader, streamId) => findFirstParked(db, reader, streamId),
  retry: async (reader, streamId, skip) => {
    const consumer = consumers.find(({ name }) => name === reader);
    if (consumer === undefined) return right({ applied: 0, error: null });
    return retryParked(consumer, store, streamId, skip);
  },
});

/** Starts the background jobs, or waits while another replica runs them. */
export const startJobs = (parts: Parts): void => {
  const { settings, shutdownSteps, log, replica, pool, db, ports, work, podRuntime, podClient } = parts;
  const directory = instanceDirectory(db);
  const onFinding = (finding: string, details: object): void => log.warn(details, finding);
  const jobs: readonly Job[] = [
    reconciliationJob({ ...ports, changeCapacity: parts.changeCapacity, podRuntime, directory, work, onFinding }),
    lifecycleJob({ ...ports, directory: lifeDirectory(db), objectStore: parts.objects, podClient }),
    // The queries of the embedded engine run inside the workers, which cancel them when a report is rejected.
    exportReconciliationJob({ ...ports, directory: exportDirectory(db), engine: parts.queryEngine.shared }),
    resourceMonitorJob({ ...ports, directory }),
    parts.schema.refresh.job,
    sealJob({
      ...{ ...ports, sha256 },
      onSealed: (seal) =>
        log.info(seal, `the log is sealed up to event ${seal.lastEventId}: seal ${seal.number}, ${seal.hash}`),
    }),
    verificationJob({
      verify: (signal) => verifySlowly(parts, signal),
      onDifference: (difference) =>
        log.error(difference, 'the system differs from its log. See docs/operations/audit.md'),
    }),
  ];
  const jobPorts = {
    ...ports,
    triggerSignal: parts.triggerSignal,
    runs: createPostgresJobRuns(pool),
    ...parts.leases,
    startedAt: ports.clock.now(),
    onRun: (job: string, outcome: { readonly kind: string }, trigger: object | null) => {
      // Frequent events are logged at `debug`.
      const level = outcome.kind === 'failed' ? 'warn' : trigger === null ? 'debug' : 'info';
      log[level]({ job, ...outcome, trigger }, `the job ${job} ${outcome.kind}`);
    },
  };
  shutdownSteps.addLoop('background jobs', (signal) => runJobs(jobPorts, jobs, settings.jobIntervals, replica, signal));
};
