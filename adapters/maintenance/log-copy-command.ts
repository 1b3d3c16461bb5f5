import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Position, START } from '../../domain/kernel/event';
import { inTransaction } from '../../projections/projection-tables';
import { type LocalContext, type Outcome } from '../cli/action';
import { type CliFailure, failed, usageError } from '../cli/failure';
import { recordOf } from '../cli/output';
import { type CopiedLog, copyLog, positionMapper } from '../log-copy/copy-log';
import { type CopyFailure, pagesOf, retryWhileUnavailable } from '../log-copy/log-pages';
import { readFollowedLog, recordFollowedLog, type StoreKind } from '../postgres/followed-log';
import { forgetAnswerPositions } from '../postgres/postgres-idempotency-store';
import { readerPositions, readersAt, remapReaderPositions } from '../postgres/reader-positions';
import { type OpenedEventStore } from '../start/open-event-store';
import { assignLogId, logProgress } from './log-steps';
import { type StoppedSystem, withStoppedSystem } from './stopped-system';

const KINDS: readonly StoreKind[] = ['postgres', 'eventstoredb'];

interface Move {
  readonly source: OpenedEventStore;
  readonly target: OpenedEventStore;
  readonly logId: string;
}

/** Moves the log of a stopped system to its other store, with the checkpoints that refer to it. */
export const copyLogCommand = (from: string | undefined, to: string | undefined, context: LocalContext): Outcome => {
  const [source, target] = [from, to].map((text) => KINDS.find((kind) => kind === text));
  if (source === undefined || target === undefined || source === target) {
    const words =
      '--from and --to are required: --from postgres --to eventstoredb, or --from eventstoredb --to postgres.';
    return Promise.resolve(left(usageError(words)));
  }
  return withStoppedSystem(context, false, (system) => moveLog(source, target, system, context));
};

const moveLog = async (from: StoreKind, to: StoreKind, system: StoppedSystem, context: LocalContext): Outcome => {
  const followed = await readFollowedLog(system.pool);
  if (followed === null) {
    return left(failed('This system has not recorded its log yet: start this version on it once, stop it, then copy.'));
  }
  const note =
    to === 'postgres'
      ? 'Start rowgraph without ROWGRAPH_EVENT_STORE and the settings that belong to it.'
      : 'Start rowgraph with ROWGRAPH_EVENT_STORE=eventstoredb.';
  if (followed.store === to) {
    return right({ data: { from, to, written: 0 }, text: `The log is in ${to} already; nothing was copied.`, note });
  }
  const [source, target] = [await system.openLog(from), await system.openLog(to)];
  if (isLeft(source)) return source;
  if (isLeft(target)) return target;
  const move = { source: source.right, target: target.right, logId: followed.logId };
  const refusal = await refusalOf(move, system);
  if (refusal !== null) return left(refusal);

  const startedAt = performance.now();
  const copied = await copyAndFollow(move, system, context);
  if (isLeft(copied)) return left(failed(copied.left.message));
  const { events, written, sha256 } = copied.right;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const data = { from, to, events, written, sha256, seconds };
  const columns = { events: 'events', 'written now': 'written', 'SHA-256': 'sha256', seconds: 'seconds' } as const;
  return right({ data, record: recordOf(data, columns), note });
};

/** Why this log must not be copied there; null if it may. The copy itself checks the content of the target. */
const refusalOf = async ({ source, target, logId }: Move, { pool }: StoppedSystem): Promise<CliFailure | null> => {
  const [here, there] = [await source.identity.read(), await target.identity.read()];
  if (isLeft(here)) return failed(`The log in ${source.kind} could not be read: ${here.left.reason}`);
  if (isLeft(there)) return failed(`The log in ${target.kind} could not be read: ${there.left.reason}`);
  if (here.right !== logId) {
    return failed(
      `This system follows the log ${logId}, and the one in ${source.kind} is ${here.right ?? 'empty'}. Restore the right one first.`,
    );
  }
  if (there.right !== null && there.right !== logId) {
    return failed(
      `The log in ${target.kind} is that of another system (${there.right}; this one is ${logId}). Copy into an empty one: another ROWGRAPH_EVENT_STORE_PREFIX, or another database.`,
    );
  }
  for (const position of await readerPositions(pool)) {
    const event = position === START ? null : await source.store.readAt(position);
    if (event === null) continue;
    if (isLeft(event)) return failed(`The log in ${source.kind} could not be read: ${event.left.reason}`);
    if (event.right !== null) continue;
    const readers = await readersAt(pool, position);
    return failed(
      `${readers} is at position ${position}, where the log in ${source.kind} has no event: the read models do not match the log. Restore both from backups of the same time first.`,
    );
  }
  return null;
};

/** Copies the log, and makes the system follow the copy. */
const copyAndFollow = async (
  { source, target, logId }: Move,
  { pool, lost }: StoppedSystem,
  { terminal }: LocalContext,
): Promise<Either<CopyFailure, CopiedLog>> => {
  const moved = positionMapper(await readerPositions(pool));
  const progress = logProgress(terminal.errors);
  let last: Position = START;
  const copied = await copyLog({
    source: pagesOf(source.kind, source.store),
    target: target.store,
    ordered: target.kind === 'eventstoredb',
    names: { source: source.kind, target: target.kind },
    beforeFirstWrite: async () => {
      await recordFollowedLog(pool, { store: source.kind, logId, copy: { store: target.kind, logId } });
      return assignLogId(target, logId);
    },
    onSource: (event, ordinal) => {
      moved.seeSource(event, ordinal);
      last = event.position;
    },
    onTarget: moved.seeCopy,
    onProgress: progress.show,
  });
  progress.end();
  if (isLeft(copied)) return copied;
  const given = await assignLogId(target, logId);
  if (isLeft(given)) return given;
  const head = await retryWhileUnavailable(() => source.store.head());
  if (isLeft(head)) return left({ message: `The log in ${source.kind} could not be read: ${head.left.reason}` });
  if (head.right !== last || lost() !== null) {
    const reason = lost() ?? `The log in ${source.kind} has grown meanwhile.`;
    return left({ message: `${reason} Stop every rowgraph and run the command again; it resumes where it stopped.` });
  }
  await inTransaction(pool, async (client) => {
    await remapReaderPositions(client, moved.result());
    await forgetAnswerPositions(client);
    await recordFollowedLog(client, { store: target.kind, logId, copy: null });
  });
  return copied;
};
