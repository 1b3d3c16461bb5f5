import { type Pool } from 'pg';
import { type IdempotencyStore } from '../../domain/ports/idempotency-store';

/** A request that has not been answered for this long has died; its key is free again. */
const ABANDONED_AFTER = '2 minutes';
const KEPT_FOR = '24 hours';
/** Until the key counts as abandoned anyway. */
const FORGET_TRIES = 120;
const FORGET_PAUSE_MS = 1000;

export const createPostgresIdempotencyStore = (pool: Pool): IdempotencyStore => ({
  begin: async (scope, key, requestHash) => {
    const claimed = await pool.query(
      `INSERT INTO es.idempotency AS i (scope, key, request_hash) VALUES ($1, $2, $3)
       ON CONFLICT (scope, key) DO UPDATE SET request_hash = excluded.request_hash, body = NULL, created_at = now()
       WHERE i.created_at < now() - CASE WHEN i.body IS NULL THEN $4::interval ELSE $5::interval END`,
      [scope, key, requestHash, ABANDONED_AFTER, KEPT_FOR],
    );
    if (claimed.rowCount === 1) return { kind: 'fresh' };
    const { rows } = await pool.query<{ request_hash: string; body: unknown }>(
      'SELECT request_hash, body FROM es.idempotency WHERE scope = $1 AND key = $2',
      [scope, key],
    );
    const [known] = rows;
    if (known === undefined || known.body === null) return { kind: 'in_progress' };
    return { kind: 'answered', requestHash: known.request_hash, answer: known.body };
  },

  complete: async (scope, key, answer) => {
    await pool.query('UPDATE es.idempotency SET body = $3 WHERE scope = $1 AND key = $2', [
      scope,
      key,
      JSON.stringify(answer),
    ]);
  },

  forget: (scope, key) => forget(pool, scope, key, FORGET_TRIES),
});

/** A database that is away is most often the reason why a request failed, so this is tried again, beside the answer. */
const forget = async (pool: Pool, scope: string, key: string, tries: number): Promise<void> => {
  try {
    await pool.query('DELETE FROM es.idempotency WHERE scope = $1 AND key = $2 AND body IS NULL', [scope, key]);
  } catch {
    if (tries > 1) setTimeout(() => void forget(pool, scope, key, tries - 1), FORGET_PAUSE_MS).unref();
  }
};
