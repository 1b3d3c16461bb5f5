import * as t from 'io-ts';
import { isLeft } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { nullable } from '../../domain/kernel/codecs';

const StoreKind = t.keyof({ postgres: null, eventstoredb: null });
/** The kinds of event stores. */
export type StoreKind = t.TypeOf<typeof StoreKind>;

/** A log in one of the event stores. */
export interface LogRef {
  readonly store: StoreKind;
  readonly logId: string;
}

/** The log to which the checkpoints in this database refer. */
export interface FollowedLog extends LogRef {
  /** An incomplete copy, which must not be followed yet. */
  readonly copy: LogRef | null;
}

const Row = t.strict({
  store: StoreKind,
  log_id: t.string,
  copy_store: nullable(StoreKind),
  copy_log_id: nullable(t.string),
});

/** Null: no log has been recorded yet. Rejects when the database does not answer. */
export const readFollowedLog = async (client: Pool | PoolClient): Promise<FollowedLog | null> => {
  const { rows } = await client.query<object>('SELECT store, log_id, copy_store, copy_log_id FROM es.followed_log');
  if (rows.length === 0) return null;
  const row = Row.decode(rows[0]);
  if (isLeft(row)) {
    throw new Error('es.followed_log contains a kind of store that is unknown to this version; run a newer version.');
  }
  const { store, log_id: logId, copy_store: copyStore, copy_log_id: copyLogId } = row.right;
  const copy = copyStore === null || copyLogId === null ? null : { store: copyStore, logId: copyLogId };
  return { store, logId, copy };
};

/** Records the log to which the checkpoints refer, and whether it is being copied. */
export const recordFollowedLog = async (
  client: Pool | PoolClient,
  { store, logId, copy }: FollowedLog,
): Promise<void> => {
  await client.query(
    `INSERT INTO es.followed_log (store, log_id, copy_store, copy_log_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (only_one) DO UPDATE SET store = $1, log_id = $2, copy_store = $3, copy_log_id = $4`,
    [store, logId, copy?.store ?? null, copy?.logId ?? null],
  );
};
