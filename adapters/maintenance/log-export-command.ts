import { resolve } from 'node:path';
import { isLeft, left, right } from 'fp-ts/Either';
import { type LocalContext, type Outcome } from '../cli/action';
import { failed } from '../cli/failure';
import { recordOf } from '../cli/output';
import { pagesOf } from '../log-copy/log-pages';
import { writeLogFile } from '../log-copy/write-log-file';
import { readFollowedLog } from '../postgres/followed-log';
import { uuids } from '../system/uuids';
import { isHalf, otherStore } from './log-steps';
import { logProgress } from './log-progress';
import { withStoppedSystem } from './stopped-system';

/** Writes the log of a stopped system to a file. */
export const exportLogCommand = (name: string, context: LocalContext): Outcome =>
  withStoppedSystem(context, false, async ({ settings, pool, openLog }) => {
    const path = resolve(name);
    const { kind } = settings.eventStore;
    const followed = await readFollowedLog(pool);
    if (followed !== null && followed.store !== kind) return left(otherStore(followed.store, kind));
    if (isHalf(followed))
      return left(failed(`The log in ${kind} is half an import. Finish it first: rowgraph log import <file>`));
    const log = openLog(kind);
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
