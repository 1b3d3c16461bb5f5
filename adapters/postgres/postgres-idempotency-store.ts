import { type Pool, type PoolClient } from 'pg';
import { type IdempotencyStore } from '../../domain/ports/idempotency-store';
import { uuids } from '../system/uuids';

/** A request that was not renewed for this time counts as crashed; its repetition resumes under its command id. */
const ABANDONED_AFTER = '10 seconds';
const HELD_EVERY_MS = 2500;
const KEPT_FOR = '24 hours';
/** Time after which the key counts as abandoned. */
const FORGET_TRIES = 10;
const FORGET_PAUSE_MS = 1000;

export const createPostgresIdempotencyStore = (pool: Pool): IdempotencyStore => {
  const heartbeats = new Map<string, NodeJS.Timeout>();
  const stopHeartbeat = (scope: string, key: string): void => {
    clearInterval(heartbeats.get(`${scope} ${key}`));
    heartbeats.delete(`${scope} ${key}`);
  };
  const startHeartbeat = (scope: string, key: string): void => {
    stopHeartbeat(scope, key);
    const touch = (): void =>
      void pool
        .query('UPDATE es.idempotency SET held_at = now() WHERE scope = $1 AND key = $2 AND body IS NULL', [scope, key])
        .catch(() => undefined);
    heartbeats.set(`${scope} ${key}`, setInterval(touch, HELD_EVERY_MS).unref());
  };
  return {
    begin: async (scope, key, requestHash) => {
      const claimed = await pool.query<{ command_id: string }>(
        `INSERT INTO es.idempotency AS i (scope, key, request_hash, command_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (scope, key) DO UPDATE SET
           held_at = now(),
           request_hash = excluded.request_hash,
           body = NULL,
           command_id = CASE WHEN i.created_at < now() - $6::interval THEN excluded.command_id ELSE i.command_id END,
           created_at = CASE WHEN i.created_at < now() - $6::interval THEN now() ELSE i.created_at END
         WHERE i.created_at < now() - $6::interval
            OR (i.body IS NULL AND i.request_hash = excluded.request_hash AND i.held_at < now() - $5::interval)
         RETURNING command_id`,
        [scope, key, requestHash, uuids.uuid(), ABANDONED_AFTER, KEPT_FOR],
      );
      const [mine] = claimed.rows;
      if (mine !== undefined) {
        startHeartbeat(scope, key);
        return { kind: 'fresh', commandId: mine.command_id };
      }
      const { rows } = await pool.query<{ request_hash: string; body: unknown }>(
        'SELECT request_hash, body FROM es.idempotency WHERE scope = $1 AND key = $2',
        [scope, key],
      );
      const [known] = rows;
      if (known === undefined || (known.body === null && known.request_hash === requestHash)) {
        return { kind: 'in_progress' };
      }
      return { kind: 'answered', requestHash: known.request_hash, answer: known.body };
    },

    complete: async (scope, key, answer) => {
      stopHeartbeat(scope, key);
      await pool.query('UPDATE es.idempotency SET body = $3 WHERE scope = $1 AND key = $2', [
        scope,
        key,
        JSON.stringify(answer),
      ]);
    },

    forget: (scope, key) => {
      stopHeartbeat(scope, key);
      return forget(pool, scope, key, FORGET_TRIES);
    },
  };
};

/** Removes the positions from the stored responses: they refer to a log that is no longer followed. */
export const forgetAnswerPositions = async (client: PoolClient): Promise<void> => {
  await client.query(`UPDATE es.idempotency SET body = body #- '{right,position}' WHERE body -> 'right' ? 'position'`);
};

/**
 * Releases the key and keeps its command id: an unanswered request may have been partly executed, and its repetition
 * must find these effects. The usual reason for a failed request is an unavailable database, so the release is retried
 * in the background.
 */
const forget = async (pool: Pool, scope: string, key: string, tries: number): Promise<void> => {
  try {
    await pool.query(`UPDATE es.idempotency SET held_at = '-infinity' WHERE scope = $1 AND key = $2 AND body IS NULL`, [
      scope,
      key,
    ]);
  } catch {
    if (tries > 1) setTimeout(() => void forget(pool, scope, key, tries - 1), FORGET_PAUSE_MS).unref();
  }
};
