import { type ReadDatabase } from './kit/database';

/** One export job as a step of its instance's way to running. */
export interface ExportStep {
  readonly name: string;
  readonly type: 'node' | 'edge';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed';
  readonly row_count: number | null;
  readonly completed_at: string | null;
}

const STEP_STATUS: Readonly<Record<string, ExportStep['status']>> = {
  pending: 'pending',
  claimed: 'in_progress',
  submitted: 'in_progress',
  completed: 'completed',
  failed: 'failed',
};

/** The export of an instance's snapshot, job by job in the mapping's order; empty before it is planned. */
export const listExportSteps = async (db: ReadDatabase, instanceId: number): Promise<readonly ExportStep[]> => {
  const rows = await db('read.export_jobs as j')
    .join('read.snapshots as s', 's.id', 'j.snapshot_id')
    .where('s.instance_id', instanceId)
    .orderBy('j.id')
    .select<(Omit<ExportStep, 'status'> & { status: string })[]>({
      name: 'j.entity_name',
      type: 'j.job_type',
      status: 'j.status',
      row_count: 'j.row_count',
      completed_at: 'j.completed_at',
    });
  return rows.map((row) => ({ ...row, status: STEP_STATUS[row.status] ?? 'pending' }));
};
