import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Pool, type PoolClient } from 'pg';
import { nullable, oneOf } from '../../domain/kernel/codecs';
import { type Position, START } from '../../domain/kernel/event';
import { type AppendError, type EventStore, type LogIdentity, type ReadError } from '../../domain/ports/event-store';
import { uuids } from '../system/uuids';
import { readerPositions } from './reader-positions';

const StoreKind = oneOf('postgres', 'eventstoredb');
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

type Disagreement =
  /** Unknown: the log does not answer yet. */
  | { readonly kind: 'away'; readonly reason: string }
  /** Log and read models do not belong together; the message says what to do. */
  | { readonly kind: 'refused'; readonly message: string };

interface Log {
  readonly kind: StoreKind;
  /** Display name. */
  readonly name: string;
  readonly store: Pick<EventStore, 'head' | 'readAt'>;
  readonly identity: LogIdentity;
}

const RUNBOOK = 'See "The log is another one" in docs/operations/runbooks/event-store.md.';
const GIVE_UP =
  'or, to give up the read models and have them filled again from this log: rowgraph log adopt, while rowgraph is stopped';

/**
 * Verifies that the read models in a database belong to a log: it is the log recorded there, and it still has the event
 * at every checkpoint. A log without followers gets an id and is recorded. Rejects when the database does not answer.
 * Returns the log's id.
 */
export const verifyLog = async (
  pool: Pool,
  { kind, name, store, identity }: Log,
): Promise<Either<Disagreement, string>> => {
  const recorded = await readFollowedLog(pool);
  const checkpoints = (await readerPositions(pool)).filter((position) => position !== START);
  const known = await identity.read();
  if (isLeft(known)) return left(away(known.left));
  const wrong = mismatchOf(recorded, { store: kind, logId: known.right }, checkpoints.length > 0, name);
  if (wrong !== null) return left({ kind: 'refused', message: `${wrong} ${RUNBOOK}` });
  const verified = await holdsCheckpoints(checkpoints, store, name);
  if (isLeft(verified)) return verified;

  const logId = await identity.ensure(known.right ?? uuids.uuid());
  if (isLeft(logId)) return left(away(logId.left));
  if (recorded === null) await recordFollowedLog(pool, { store: kind, logId: logId.right, copy: null });
  return logId;
};

const away = (error: ReadError | AppendError): Disagreement =>
  error.kind === 'broken_stream'
    ? {
        kind: 'refused',
        message: `The event store has lost events of ${error.streamId}: ${error.reason}. ${RUNBOOK}`,
      }
    : { kind: 'away', reason: 'reason' in error ? error.reason : error.kind };

/** Why the log cannot be the one that the read models follow; null when it can. */
const mismatchOf = (
  recorded: FollowedLog | null,
  found: { readonly store: LogRef['store']; readonly logId: string | null },
  hasReadModels: boolean,
  name: string,
): string | null => {
  if (recorded === null) {
    return found.store === 'postgres' || !hasReadModels
      ? null
      : `The read models in this database follow the log in the database itself, and the event store is ${name}. Copy the log (rowgraph log copy --from postgres --to eventstoredb), or set ROWGRAPH_EVENT_STORE=postgres.`;
  }
  const { store, logId, copy } = recorded;
  if (copy?.store === found.store) {
    return store === found.store
      ? `The import of the log into ${name} is not complete. Run rowgraph log import again with the same file to resume it.`
      : `The copy of the log to ${name} is not complete. Resume it (rowgraph log copy --from ${store} --to ${found.store}), or set ROWGRAPH_EVENT_STORE=${store} to keep the log in ${store}.`;
  }
  if (store !== found.store) {
    return `The read models in this database follow the log ${logId} in ${store}, and the event store is ${name}. Set ROWGRAPH_EVENT_STORE=${store}, or move the log: rowgraph log copy --from ${store} --to ${found.store}.`;
  }
  if (logId === found.logId) return null;
  const other = found.logId === null ? 'has no log of rowgraph' : `holds the log ${found.logId}`;
  return `The read models in this database follow the log ${logId}, and ${name} ${other}. Restore that log, or correct the address and prefix of the event store, ${GIVE_UP}.`;
};

/** Checks that the log still contains the events at all checkpoints. */
const holdsCheckpoints = async (
  checkpoints: readonly Position[],
  store: Log['store'],
  name: string,
): Promise<Either<Disagreement, void>> => {
  if (checkpoints.length === 0) return right(undefined);
  const head = await store.head();
  if (isLeft(head)) return left(away(head.left));
  for (const position of checkpoints) {
    const event = head.right === START ? right(null) : await store.readAt(position);
    if (isLeft(event)) return left(away(event.left));
    if (event.right !== null) continue;
    const what =
      head.right === START ? 'is empty' : `has no event of rowgraph at position ${position}, which they have seen`;
    return left({
      kind: 'refused',
      message: `The read models in this database are ahead of their log: ${name} ${what}. It was restored from an older backup, or events were removed. Restore a newer backup of the log, or a backup of the database that is older than that of the log, ${GIVE_UP}. ${RUNBOOK}`,
    });
  }
  return right(undefined);
};
