import { resolve } from 'node:path';
import { isLeft, left, right } from 'fp-ts/Either';
import { inTransaction } from '../../projections/projection-tables';
import { type CommandInput, type LocalContext, type Outcome } from '../cli/action';
import { type Answer, type CliFailure, failed } from '../cli/failure';
import { recordOf } from '../cli/output';
import { confirm } from '../cli/request-options';
import { copyLog } from '../log-copy/copy-log';
import { pagesOfFile, verifyLogFile, writeLogFile } from '../log-copy/log-file';
import { pagesOf } from '../log-copy/log-pages';
import { readFollowedLog, recordFollowedLog } from '../postgres/followed-log';
import { forgetAnswerPositions } from '../postgres/postgres-idempotency-store';
import { forgetReadModels } from '../postgres/reader-positions';
import { logName } from '../start/event-store-settings';
import { type OpenedEventStore } from '../start/open-event-store';
import { uuids } from '../system/uuids';
import { assignLogId, isHalf, logProgress, otherStore } from './log-steps';
import { type StoppedSystem, withStoppedSystem } from './stopped-system';

/** Imports the log of a file into an empty system, or resumes an import. */
export const importLogCommand = async (name: string, context: LocalContext): Outcome => {
  const path = resolve(name);
  const progress = logProgress(context.terminal.errors);
  const file = await verifyLogFile(path, (events) => progress.show('reading the file', events));
  progress.end();
  if (isLeft(file)) return left(failed(file.left.message));
  const { logId } = file.right;
  return withStoppedSystem(context, true, async (system) => {
    const { pool, settings, lost } = system;
    const store = settings.eventStore.kind;
    const log = await openForImport(logId, system);
    if (isLeft(log)) return log;
    const copied = await copyLog({
      source: pagesOfFile(path),
      target: log.right.store,
      ordered: store === 'eventstoredb',
      names: { source: path, target: store },
      beforeFirstWrite: async () => {
        await recordFollowedLog(pool, { store, logId, copy: { store, logId } });
        return assignLogId(log.right, logId);
      },
      onProgress: progress.show,
    });
    progress.end();
    if (isLeft(copied)) return left(failed(copied.left.message));
    const given = await assignLogId(log.right, logId);
    if (isLeft(given)) return left(failed(given.left.message));
    const reason = lost();
    if (reason !== null) return left(failed(`${reason} Stop every rowgraph and run the command again.`));
    await recordFollowedLog(pool, { store, logId, copy: null });
    const { events, written, sha256 } = copied.right;
    const data = { store, log_id: logId, events, written, sha256 };
    const columns = { log: 'log_id', events: 'events', 'written now': 'written', 'SHA-256': 'sha256' } as const;
    return right({
      data,
      record: recordOf(data, columns),
      note: 'Start rowgraph: it fills its read models from the log.',
    });
  });
};

/** Opens the log in the settings, unless this system or the store has another log. */
const openForImport = async (logId: string, { pool, settings, openLog }: StoppedSystem): Answer<OpenedEventStore> => {
  const { kind } = settings.eventStore;
  const followed = await readFollowedLog(pool);
  if (followed !== null && followed.logId !== logId)
    return left(anotherLog('This system follows', followed.logId, logId));
  if (followed !== null && followed.store !== kind) return left(otherStore(followed.store, kind));
  const log = await openLog(kind);
  if (isLeft(log)) return log;
  const present = await log.right.identity.read();
  if (isLeft(present)) return left(failed(`The log in ${kind} could not be read: ${present.left.reason}`));
  return present.right === null || present.right === logId
    ? log
    : left(anotherLog(`The event store ${kind} contains`, present.right, logId));
};

const anotherLog = (who: string, there: string, inFile: string): CliFailure =>
  failed(
    `${who} the log ${there}, and the file contains ${inFile}. Import into a system that has never run: set ROWGRAPH_DATA_DIR to a new folder, and ROWGRAPH_DATABASE_URL and ROWGRAPH_EVENT_STORE_PREFIX, if you use them, to new ones.`,
  );

/** Writes the log of a stopped system to a file. */
export const exportLogCommand = (name: string, context: LocalContext): Outcome =>
  withStoppedSystem(context, false, async ({ settings, pool, openLog }) => {
    const path = resolve(name);
    const { kind } = settings.eventStore;
    const followed = await readFollowedLog(pool);
    if (followed !== null && followed.store !== kind) return left(otherStore(followed.store, kind));
    if (isHalf(followed))
      return left(failed(`The log in ${kind} is an incomplete import. Complete it first: rowgraph log import <file>`));
    const log = await openLog(kind);
    if (isLeft(log)) return log;
    const logId = await log.right.identity.ensure(followed?.logId ?? uuids.uuid());
    if (isLeft(logId)) return left(failed(`The id of the log in ${kind} could not be read (${logId.left.kind}).`));
    const progress = logProgress(context.terminal.errors);
    const source = pagesOf(kind, log.right.store);
    const written = await writeLogFile(path, logId.right, source, (events) => progress.show('exporting', events));
    progress.end();
    if (isLeft(written)) return left(failed(written.left.message));
    const data = { file: path, log_id: logId.right, ...written.right };
    return right({
      data,
      record: recordOf(data, { file: 'file', log: 'log_id', events: 'events', 'SHA-256': 'sha256' }),
    });
  });

/** Makes a stopped system follow the log in its settings, whatever it followed before; the next start replays it. */
export const adoptLog = (input: CommandInput, context: LocalContext): Outcome =>
  withStoppedSystem(context, true, async ({ settings, pool, openLog, lost }) => {
    const { kind } = settings.eventStore;
    const name = logName(settings.eventStore);
    const log = await openLog(kind);
    if (isLeft(log)) return log;
    const logId = await log.right.identity.ensure(uuids.uuid());
    if (isLeft(logId)) {
      const reason = 'reason' in logId.left ? logId.left.reason : logId.left.kind;
      return left(failed(`${name} could not be read: ${reason}`));
    }
    const question = `Discard the read models of this database and follow the log ${logId.right} in ${name}?`;
    const sure = await confirm(context.terminal, input, question);
    if (isLeft(sure)) return sure;
    const reason = lost();
    if (reason !== null) return left(failed(`${reason} Stop every rowgraph and run the command again.`));
    await inTransaction(pool, async (client) => {
      await forgetReadModels(client);
      await forgetAnswerPositions(client);
      await recordFollowedLog(client, { store: kind, logId: logId.right, copy: null });
    });
    return right({
      data: { store: kind, log_id: logId.right },
      text: `This system follows the log ${logId.right} in ${name} from now on.`,
      note: 'Start rowgraph: it fills its read models from the log.',
    });
  });
