import { type Either, isLeft, right } from 'fp-ts/Either';
import { type ExportJobCommand, exportJobStream } from '../../domain/export-job';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type ExportDirectory } from '../../domain/ports/directories';
import { type SharedQueryEngine } from '../../domain/ports/query-engine';
import { exportResult, exportTimeout, LEASE_LAPSED } from '../../domain/processes';
import { snapshotStream } from '../../domain/snapshot';
import { changeExportJob } from '../export-job/change-export-job';
import { exportJobs, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOf } from '../kit/command-context';
import { type Done, handleCommand } from '../kit/handle-command';
import { loadHistory } from '../kit/load-stream';
import { countDone, type Job, outcomeOf, unlessRejected } from './job';

export interface ExportReconciliationPorts extends CommandPorts {
  readonly directory: ExportDirectory;
  /** Null if the engine runs inside the workers, since a query is then reachable only in its worker. */
  readonly engine: Pick<SharedQueryEngine, 'cancelExport' | 'removeLeftovers'> | null;
}

const SYSTEM = { username: 'system:export-reconciliation', role: 'system' } as const;

/** Delay after a deadline before a repair, so that the process `snapshot_export` acts first. */
const GRACE_MS = 10_000;
/** A worker reports on a query in its process before each poll is due; after this delay it counts as lost. */
const SILENCE_MS = 30_000;
/** Minimum of the maximum duration of a job. */
const SHORTEST_LIMIT_MS = 60_000;

const WORKER_GONE = 'its worker is gone';

/** Whether a repair was made; false when the export progressed meanwhile. */
type Repaired = Done<boolean>;

/**
 * Repairs exports that the process `snapshot_export` cannot complete. Normally, and after crashes, the durable timers
 * of that process expire leases and overlong jobs, and it decides the outcome as soon as the last job has ended. This
 * job covers timers that were lost with the work tables, a process whose stream is unreadable, and events that were
 * restored or imported without delivery to the process. It sends the same commands, a little later. It also releases
 * the jobs of dead workers long before their leases expire.
 */
export const exportReconciliationJob = (ports: ExportReconciliationPorts): Job => ({
  name: 'export_reconciliation',
  run: async ({ signal, cause }) => {
    const { directory, clock, ids } = ports;
    const before = new Date(clock.now().getTime() - GRACE_MS);
    const failures: DomainError[] = [];
    const count = <A>(items: readonly A[], put: (item: A, context: CommandContext) => Repaired): Promise<number> =>
      countDone(items, signal, failures, (item) => put(item, contextOf(ids, SYSTEM, cause)));

    const change = async (jobId: number, command: ExportJobCommand, context: CommandContext): Repaired =>
      unlessOver(await changeExportJob(ports, jobId, command, context));

    const counts = {
      jobs_timed_out: await count(
        await directory.openJobs(new Date(before.getTime() - SHORTEST_LIMIT_MS)),
        (jobId, given) => failOverlong(ports, jobId, given, failures),
      ),
      leases_expired: await count(await directory.expiredClaims(before), ({ jobId, attempt }, given) =>
        change(jobId, { type: 'ExpireLease', attempt, reason: LEASE_LAPSED }, given),
      ),
      jobs_taken_back: await count(
        await directory.abandonedJobs(new Date(clock.now().getTime() - SILENCE_MS)),
        ({ jobId, attempt }, given) => change(jobId, { type: 'ReleaseExportJob', attempt, reason: WORKER_GONE }, given),
      ),
      snapshots_decided: await count(await directory.undecidedSnapshots(before), (snapshotId, given) =>
        drawResult(ports, snapshotId, given),
      ),
      ...(await removeLeftovers(ports, failures)),
    };
    return outcomeOf(failures, counts);
  },
});

/** Longer than any configurable maximum duration of an export. */
const LEFTOVER_MS = 24 * 3600 * 1000;

const removeLeftovers = async (
  { engine, clock }: ExportReconciliationPorts,
  failures: DomainError[],
): Promise<{ readonly leftovers_removed?: number }> => {
  if (engine === null) return {};
  const removed = await engine.removeLeftovers(new Date(clock.now().getTime() - LEFTOVER_MS));
  if (!isLeft(removed)) return { leftovers_removed: removed.right };
  const message = `The leftovers of exports in the query engine could not be removed: ${removed.left.message}.`;
  failures.push(domainError('SERVICE_UNAVAILABLE', message));
  return { leftovers_removed: 0 };
};

/** The maximum duration of a job is that configured when its snapshot was requested, counted from its claim. */
const failOverlong = async (
  ports: ExportReconciliationPorts,
  jobId: number,
  context: CommandContext,
  failures: DomainError[],
): Repaired => {
  const { store, clock, engine, directory } = ports;
  const loaded = await loadHistory(store, exportJobs, exportJobStream(jobId));
  if (isLeft(loaded)) return loaded;
  const { state: job, events } = loaded.right;
  // The job of an external submitter is never claimed: its time counts from its creation.
  const begun = events.findLast(({ type }) => type === 'ExportJobClaimed') ?? events[0];
  if (begun === undefined || (job?.status !== 'claimed' && job?.status !== 'submitted')) return right(false);
  const snapshot = await loadHistory(store, snapshots, snapshotStream(job.snapshotId));
  if (isLeft(snapshot)) return snapshot;
  const maxSeconds = snapshot.right.state?.exportMaxSeconds;
  const endsAt = Date.parse(begun.metadata.occurredAt) + (maxSeconds ?? Infinity) * 1000 + GRACE_MS;
  if (maxSeconds === undefined || clock.now().getTime() < endsAt) return right(false);

  const address = job.status === 'submitted' ? ((await directory.addressOf(jobId)) ?? job.nextUri) : null;
  if (engine !== null && address !== null) {
    const cancelled = await engine.cancelExport(address);
    // The job fails in any case: its snapshot must not wait for an engine.
    if (isLeft(cancelled)) failures.push(notCancelled(jobId, address, cancelled.left.message));
  }
  const command = { type: 'ReportFailed', attempt: job.attempt, ...exportTimeout(maxSeconds) } as const;
  return unlessOver(await changeExportJob(ports, jobId, command, context));
};

const drawResult = async (ports: CommandPorts, snapshotId: number, context: CommandContext): Repaired => {
  const stream = snapshotStream(snapshotId);
  const loaded = await loadHistory(ports.store, snapshots, stream);
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  const all: Parameters<typeof exportResult>[1][number][] = [...events];
  for (const { jobId } of state?.jobs ?? []) {
    const job = await loadHistory(ports.store, exportJobs, exportJobStream(jobId));
    if (isLeft(job)) return job;
    all.push(...job.right.events);
  }
  const result = exportResult(snapshotId, all);
  return result === null ? right(false) : unlessOver(await handleCommand(ports, snapshots, stream, result, context));
};

/** A rejection means that the export progressed meanwhile. */
const unlessOver = (done: Either<DomainError, unknown>): Either<DomainError, boolean> =>
  unlessRejected(done, 'INVALID_STATE_TRANSITION');

const notCancelled = (jobId: number, address: string, reason: string): DomainError =>
  domainError(
    'SERVICE_UNAVAILABLE',
    `The query of export job ${jobId} at ${address} could not be cancelled (${reason}); the job has failed. End the query in the engine.`,
    { export_job_id: jobId },
  );
