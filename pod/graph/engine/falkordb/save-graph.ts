import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type Connection, textOf } from './connection';

const POLL_MS = 20;
const ATTEMPTS = 5;
const RETRY_MS = 500;

interface Persistence {
  /** Number of saves since the start of the server, including failed ones. */
  readonly begun: number;
  readonly isSaving: boolean;
  /** Whether the last save succeeded. */
  readonly isSaved: boolean;
}

/**
 * Makes the server save the graph from a fork of its process, while queries run. Another fork may exist at that time
 * (the indexes clean up in one), so the save is scheduled; a failed save is retried. The server continues in either
 * case.
 */
export const saveGraph = async (connection: Connection): Promise<Either<CallFailure, unknown>> => {
  for (let attempt = 1; ; attempt++) {
    const saved = await attemptSave(connection);
    if (!isLeft(saved) || saved.left.kind === 'crashed' || attempt === ATTEMPTS) return saved;
    await wait(RETRY_MS);
  }
};

const attemptSave = async (connection: Connection): Promise<Either<CallFailure, unknown>> => {
  // A save in progress may have begun before the last write.
  const before = await persistenceWhen(connection, ({ isSaving }) => !isSaving);
  if (isLeft(before)) return before;
  const scheduled = await connection.send(['BGSAVE', 'SCHEDULE']);
  if (isLeft(scheduled)) return scheduled;
  const { begun } = before.right;
  const after = await persistenceWhen(connection, (now) => now.begun > begun && !now.isSaving);
  if (isLeft(after) || after.right.isSaved) return after;
  return left({ kind: 'rejected', reason: 'the server could not write its file; the disk may be full' });
};

const persistenceWhen = async (
  connection: Connection,
  holds: (now: Persistence) => boolean,
): Promise<Either<CallFailure, Persistence>> => {
  for (;;) {
    const info = await connection.send(['INFO', 'persistence']);
    if (isLeft(info)) return info;
    const lines = textOf(info.right).split('\r\n');
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
    const now = {
      begun: Number(field('rdb_saves')),
      isSaving: field('rdb_bgsave_in_progress') === '1',
      isSaved: field('rdb_last_bgsave_status') === 'ok',
    };
    if (holds(now)) return right(now);
    await wait(POLL_MS);
  }
};
