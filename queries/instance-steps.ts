import { type ReadDatabase, toNumberOrNull, toTimestampOrNull } from './kit/database';

/** One export job as a step of its instance's way to running. */
export interface ExportStep {
  readonly name: string;
  readonly type: 'node' | 'edge';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed';
  readonly row_count: number | null;
  readonly completed_at: string | null;
}

interface Row {
  readonly entity_name: string;
  readonly job_type: 'node' | 'edge';
  readonly status: string;
  readonly row_count: string | null;
  readonly completed_at: Date | null;
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
    .select<Row[]>('j.entity_name', 'j.job_type', 'j.status', 'j.row_count', 'j.completed_at');
  return rows.map((row) => ({
    name: row.entity_name,
    type: row.job_type,
    status: STEP_STATUS[row.status] ?? 'pending',
    row_count: toNumberOrNull(row.row_count),
    completed_at: toTimestampOrNull(row.completed_at),
  }));
};
