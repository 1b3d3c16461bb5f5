import { JobName, JOBS_LEASE } from '../domain/job';
import { type ReadDatabase } from './kit/database';
import { columnsOf } from './kit/list';
import { JobRunView, type JobView } from './views/ops';

/** Number of listed runs per job. */
const LISTED_RUNS = 10;

/** The data of a job in the read models; schedule and health are derived from it. */
export type JobRecord = Omit<JobView, 'schedule' | 'health_status'>;

interface Row extends Omit<JobRecord, 'open_trigger' | 'last_runs'> {
  readonly open_trigger: number | null;
  readonly triggered_at: string | null;
  readonly triggered_by: string | null;
  readonly trigger_reason: string | null;
}

interface RunRow extends JobRunView {
  readonly job_name: JobName;
}

/** All jobs in the order of the catalogue, including those that have never run. */
export const listJobs = async (db: ReadDatabase): Promise<readonly JobRecord[]> => {
  const names = Object.keys(JobName.keys) as readonly JobName[];
  const rows = await db
    .from(db.raw('unnest(?::text[]) AS n(name)', [[...names]]))
    .leftJoin('jobs as j', 'j.name', 'n.name')
    .leftJoin('es.job_progress as p', 'p.job_name', 'n.name')
    .select<Row[]>(
      ...['n.name', 'j.last_failure_at', 'p.running_since', 'p.next_run_at'],
      ...['j.open_trigger', 'j.triggered_at', 'j.triggered_by', 'j.trigger_reason'],
      db.raw('coalesce(j.consecutive_failures, 0) AS consecutive_failures'),
      // The log has few successes and telemetry may be lost, so the later time applies.
      db.raw('greatest(j.last_success_at, p.last_success_at) AS last_success_at'),
    );
  const runs = await db
    .from(
      db('es.job_runs')
        .select('*', db.raw('row_number() OVER (PARTITION BY job_name ORDER BY id DESC) AS place'))
        .as('runs'),
    )
    .where('place', '<=', LISTED_RUNS)
    .orderBy('place')
    .select<RunRow[]>('job_name', columnsOf(JobRunView));
  const runsOf = (name: JobName) =>
    runs.flatMap(({ job_name, ...run }): JobRunView[] => (job_name === name ? [run] : []));
  return names.flatMap((name) => {
    const row = rows.find((found) => found.name === name);
    return row === undefined ? [] : [recordOf(row, runsOf(name))];
  });
};

/** The replica that runs the jobs, or null. */
export const findJobRunner = async (db: ReadDatabase): Promise<string | null> => {
  const lease = db('es.leases').where('name', JOBS_LEASE).where('until', '>', db.fn.now());
  return (await lease.first<{ owner: string } | undefined>('owner'))?.owner ?? null;
};

const recordOf = (row: Row, last_runs: readonly JobRunView[]): JobRecord => {
  const { open_trigger, triggered_at, triggered_by, trigger_reason, ...job } = row;
  const isOpen = open_trigger !== null && triggered_at !== null;
  return {
    ...job,
    open_trigger: isOpen ? { triggered_at, triggered_by: triggered_by ?? '', reason: trigger_reason ?? '' } : null,
    last_runs,
  };
};
