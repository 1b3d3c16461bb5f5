import { type Pool } from 'pg';
import { type IdGenerator, type IdKind } from '../../domain/ports/id-generator';
import { givenIdsProjection } from '../../projections/given-ids';
import { inTransaction, readSchemaOf } from '../../projections/projection-tables';
import { uuids } from '../system/uuids';

const SEQUENCES: Readonly<Record<IdKind, string>> = {
  mapping: 'es.mapping_ids',
  snapshot: 'es.snapshot_ids',
  export_job: 'es.export_job_ids',
  instance: 'es.instance_ids',
};

const RAISE_LOCK = 7020170614;

/** Ids from the sequences of schema `es`, shared by all processes of a database. */
export const createPostgresIdGenerator = (pool: Pool): IdGenerator => ({
  ...uuids,
  next: async (kind, count = 1) => {
    const result = await pool.query<{ id: string }>(
      `SELECT nextval('${SEQUENCES[kind]}') AS id FROM generate_series(1, $1::integer)`,
      [count],
    );
    return result.rows.map((row) => Number(row.id));
  },
  nextFor: async (commandId, kind) => {
    const made = await pool.query<{ id: string }>(
      `INSERT INTO es.command_ids (command_id, kind, ids) VALUES ($1, $2, ARRAY[nextval('${SEQUENCES[kind]}')])
       ON CONFLICT DO NOTHING RETURNING ids[1] AS id`,
      [commandId, kind],
    );
    if (made.rows[0] !== undefined) return { id: Number(made.rows[0].id), isNew: true };
    const known = await pool.query<{ id: string }>(
      'SELECT ids[1] AS id FROM es.command_ids WHERE command_id = $1 AND kind = $2',
      [commandId, kind],
    );
    return { id: Number(known.rows[0]?.id), isNew: false };
  },
});

/**
 * Raises every sequence that would repeat an id of the log, for example after a restore of the database alone, and
 * returns the raised kinds. Call it at the start, when the read model `given_ids` has caught up with the log and before
 * ids are generated. Rejects when the database is unreachable.
 */
export const raiseIdsAboveLog = (pool: Pool): Promise<readonly IdKind[]> =>
  inTransaction(pool, async (client) => {
    // A replica that starts at the same time must not lower a raised sequence.
    await client.query('SELECT pg_advisory_xact_lock($1)', [RAISE_LOCK]);
    const raised: IdKind[] = [];
    for (const kind of ['mapping', 'snapshot', 'export_job', 'instance'] as const) {
      const result = await client.query(
        `SELECT setval('${SEQUENCES[kind]}', used.highest)
         FROM ${readSchemaOf(givenIdsProjection)}.given_ids AS used, ${SEQUENCES[kind]} AS sequence
         WHERE used.kind = $1
           AND (used.highest > sequence.last_value OR (used.highest = sequence.last_value AND NOT sequence.is_called))`,
        [kind],
      );
      if (result.rows.length > 0) raised.push(kind);
    }
    return raised;
  });
