import { type Pool } from 'pg';
import { type JournalEntry, type ProgressJournal } from '../../domain/ports/progress-journal';

interface Row {
  readonly seq: string;
  readonly view: unknown;
}

const toEntry = ({ seq, view }: Row): JournalEntry => ({ seq: Number(seq), view });

/** The journal in schema `telemetry`. */
export const createPostgresProgressJournal = (pool: Pool): ProgressJournal => ({
  record: async (instanceId, view) => {
    // Who is slower than another control plane with the same number finds its state there, or records it next time.
    await pool.query(
      `WITH last AS (
         SELECT seq, view FROM telemetry.progress_journal WHERE instance_id = $1 ORDER BY seq DESC LIMIT 1
       )
       INSERT INTO telemetry.progress_journal (instance_id, seq, view)
       SELECT $1, coalesce((SELECT seq FROM last), 0) + 1, $2::jsonb
       WHERE (SELECT view - 'elapsed_seconds' FROM last) IS DISTINCT FROM ($2::jsonb - 'elapsed_seconds')
       ON CONFLICT DO NOTHING`,
      [instanceId, JSON.stringify(view)],
    );
  },
  after: async (instanceId, seq, limit) => {
    const { rows } = await pool.query<Row>(
      'SELECT seq, view FROM telemetry.progress_journal WHERE instance_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [instanceId, seq, limit],
    );
    return rows.map(toEntry);
  },
  last: async (instanceId) => {
    const { rows } = await pool.query<Row>(
      'SELECT seq, view FROM telemetry.progress_journal WHERE instance_id = $1 ORDER BY seq DESC LIMIT 1',
      [instanceId],
    );
    return rows[0] === undefined ? null : toEntry(rows[0]);
  },
});
