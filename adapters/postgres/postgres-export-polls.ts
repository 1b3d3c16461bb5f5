import { type Pool } from 'pg';
import { type ExportPolls } from '../../domain/ports/export-polls';

/** The polls of export jobs in `es.export_polls`: the columns of the read model that have changed since submission. */
export const createPostgresExportPolls = (pool: Pool): ExportPolls => ({
  save: async ({ jobId, attempt }, { queryId, nextUri, nextPollAt, pollCount }) => {
    // Absent fields are not in the JSON.
    const reported = { next_uri: nextUri, next_poll_at: nextPollAt, poll_count: pollCount };
    const columns = queryId == null ? reported : { ...reported, queryengine_query_id: queryId };
    await pool.query(
      `INSERT INTO es.export_polls AS p (job_id, attempt, columns) VALUES ($1, $2, $3)
       ON CONFLICT (job_id, attempt) DO UPDATE SET updated_at = now(), columns = p.columns || excluded.columns`,
      [jobId, attempt, JSON.stringify(columns)],
    );
  },
  hold: async (jobs, now, until) => {
    const { rows } = await pool.query<{ id: string }>(
      // Two pollers meet at the row: the second one finds a poll that is not due.
      `INSERT INTO es.export_polls AS p (job_id, attempt, columns)
       SELECT j.id, j.attempt, jsonb_build_object('next_poll_at', $3::text)
       FROM unnest($1::bigint[], $2::integer[]) AS j (id, attempt) ORDER BY j.id
       ON CONFLICT (job_id, attempt) DO UPDATE SET updated_at = now(), columns = p.columns || excluded.columns
       WHERE coalesce((p.columns->>'next_poll_at')::timestamptz, '-infinity') <= $4
       RETURNING job_id AS id`,
      [jobs.map(({ jobId }) => jobId), jobs.map(({ attempt }) => attempt), until.toISOString(), now],
    );
    return jobs.filter(({ jobId }) => rows.some(({ id }) => Number(id) === jobId));
  },
});
