import { JobName, JOBS_LEASE } from '../domain/job';
import { type ReadDatabase, toTimestamp, toTimestampOrNull } from './kit/database';

/** Runs told of each job. */
const TOLD_RUNS = 10;

export interface JobRunView {
  readonly started_at: string;
  readonly ended_at: string;
  /** Null for a scheduled run. */
  readonly triggered_by: string | null;
  /** What it did, counted; null for a failed run. */
  readonly result: Readonly<Record<string, number>> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface JobView {
  readonly name: JobName;
  readonly last_success_at: string | null;
  readonly last_failure_at: string | null;
  readonly consecutive_failures: number;
  readonly running_since: string | null;
  readonly next_run_at: string | null;
  /** The order no run has answered yet. */
  readonly open_trigger: {
    readonly triggered_at: string;
    readonly triggered_by: string;
    readonly reason: string;
  } | null;
  /** Newest first. */
  readonly last_runs: readonly JobRunView[];
}

interface Row {
  readonly name: string;
  readonly last_success_at: Date | null;
  readonly last_failure_at: Date | null;
  readonly consecutive_failures: number | null;
  readonly running_since: Date | null;
  readonly next_run_at: Date | null;
  readonly open_trigger: number | null;
  readonly triggered_at: Date | null;
  readonly triggered_by: string | null;
  readonly trigger_reason: string | null;
}

interface RunRow extends Omit<JobRunView, 'started_at' | 'ended_at'> {
  readonly id: string;
  readonly job_name: string;
  readonly started_at: Date;
  readonly ended_at: Date;
}

/** Every job in the order of the catalogue, also those that have never run. */
export const listJobs = async (db: ReadDatabase): Promise<readonly JobView[]> => {
  const names = Object.keys(JobName.keys) as readonly JobName[];
  const rows = await db
    .from(db.raw('unnest(?::text[]) AS n(name)', [[...names]]))
    .leftJoin('read.jobs as j', 'j.name', 'n.name')
    .leftJoin('es.job_progress as p', 'p.job_name', 'n.name')
    // The log keeps few successes, telemetry may have been lost: the later one counts.
    .select<Row[]>('j.*', 'p.*', 'n.name', db.raw('greatest(j.last_success_at, p.last_success_at) AS last_success_at'));
  const runs = await db
    .from(
      db('es.job_runs')
        .select('*', db.raw('row_number() OVER (PARTITION BY job_name ORDER BY id DESC) AS place'))
        .as('runs'),
    )
    .where('place', '<=', TOLD_RUNS)
    .orderBy('place')
    .select<RunRow[]>('*');
  return names.flatMap((name) => {
    const row = rows.find((found) => found.name === name);
    return row === undefined
      ? []
      : [
          toView(
            name,
            row,
            runs.filter((run) => run.job_name === name),
          ),
        ];
  });
};

/** Which replica runs the jobs; null while none does. */
export const findJobRunner = async (db: ReadDatabase): Promise<string | null> => {
  const lease = db('es.leases').where('name', JOBS_LEASE).where('until', '>', db.fn.now());
  return (await lease.first<{ owner: string } | undefined>('owner'))?.owner ?? null;
};

const toView = (name: JobName, row: Row, runs: readonly RunRow[]): JobView => ({
  name,
  last_success_at: toTimestampOrNull(row.last_success_at),
  last_failure_at: toTimestampOrNull(row.last_failure_at),
  consecutive_failures: row.consecutive_failures ?? 0,
  running_since: toTimestampOrNull(row.running_since),
  next_run_at: toTimestampOrNull(row.next_run_at),
  open_trigger:
    row.open_trigger === null || row.triggered_at === null
      ? null
      : {
          triggered_at: toTimestamp(row.triggered_at),
          triggered_by: row.triggered_by ?? '',
          reason: row.trigger_reason ?? '',
        },
  last_runs: runs.map(({ started_at, ended_at, triggered_by, result, error }) => ({
    started_at: toTimestamp(started_at),
    ended_at: toTimestamp(ended_at),
    triggered_by,
    result,
    error,
  })),
});
