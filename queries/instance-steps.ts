import { type ReadDatabase } from './kit/database';
import { type StepStatus, type TableStep } from './views/instance';

const STEP_STATUS: Readonly<Record<string, StepStatus>> = {
  pending: 'pending',
  claimed: 'in_progress',
  submitted: 'in_progress',
  completed: 'completed',
  failed: 'failed',
};

interface Row extends Pick<TableStep, 'name' | 'type'> {
  readonly status: string;
  readonly row_count: number | null;
  readonly completed_at: string | null;
}

/** The export of an instance's snapshot, job by job in the mapping's order; empty before it is planned. */
export const listExportSteps = async (db: ReadDatabase, instanceId: number): Promise<readonly TableStep[]> => {
  const rows = await db('export_jobs as j')
    .join('snapshots as s', 's.id', 'j.snapshot_id')
    .where('s.instance_id', instanceId)
    .orderBy('j.id')
    .select<Row[]>({
      name: 'j.entity_name',
      type: 'j.job_type',
      status: 'j.status',
      row_count: 'j.row_count',
      completed_at: 'j.completed_at',
    });
  return rows.map(({ name, type, status, row_count, completed_at }) => ({
    name,
    type,
    status: STEP_STATUS[status] ?? 'pending',
    ...(row_count !== null && { row_count }),
    ...(completed_at !== null && { completed_at }),
  }));
};
