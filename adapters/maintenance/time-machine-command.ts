import { once } from 'node:events';
import { isLeft, left, right } from 'fp-ts/Either';
import { pino } from 'pino';
import { START, type StoredEvent } from '../../domain/kernel/event';
import { fillUntil } from '../../projections/fill-until';
import { withReplaySchema } from '../../projections/replay-schema';
import { listAuditTrail } from '../../queries/audit-trail';
import { openReadDatabase } from '../../queries/kit/database';
import { type CommandInput, type LocalContext, type Outcome } from '../cli/action';
import { failed, usageError } from '../cli/failure';
import { counts, refuseFuture } from '../http/public/as-of/as-of';
import { type Moment, MOMENT_WORDS, parseMoment } from '../http/public/as-of/as-of-field';
import { readConnectionTo } from '../postgres/connection';
import { serveTimeMachine } from '../start/serve-time-machine';
import { logOptions } from '../system/log-options';
import { systemClock } from '../system/system-clock';
import { findDatabase, withEventStore } from './find-database';
import { replayProgress } from './replay-progress';

const MAX_PORT = 65_535;

/**
 * Fills the read models of an earlier moment in a schema of its own and serves the public reads from them, beside the
 * live system, until Ctrl-C or SIGTERM.
 */
export const runTimeMachine = (
  given: Pick<CommandInput, 'text' | 'integer'>,
  { terminal, environment }: LocalContext,
): Outcome => {
  const [asOf, port] = [given.text('as-of') ?? '', given.integer('port') ?? -1];
  const at = parseMoment(asOf);
  if (at === null) return Promise.resolve(left(usageError(`--as-of ${MOMENT_WORDS}; got "${asOf}".`)));
  if (port < 0 || port > MAX_PORT) {
    return Promise.resolve(left(usageError(`--port must be from 0 to ${MAX_PORT}; got ${port}.`)));
  }
  const signal = terminal.interrupted();
  return withEventStore(
    environment,
    0,
    (reason) => (signal.aborted ? 'The time machine was interrupted.' : `The time machine failed: ${reason}`),
    async (pool, store, settings) => {
      const past = await refuseFuture({ store, clock: systemClock }, at);
      if (isLeft(past)) {
        const { code, message } = past.left;
        return left(code === 'VALIDATION_FAILED' ? usageError(message.replace('as_of', '--as-of')) : failed(message));
      }
      const url = findDatabase(settings);
      if (isLeft(url)) return url;
      const log = pino({ ...logOptions, level: 'warn' }, { write: (line) => terminal.errors.write(line) });
      const onPage = replayProgress(right(await lastPosition(url.right, at)), terminal.errors, 'building indexes');
      return withReplaySchema(pool, async (schema, replay, lost) => {
        const stop = AbortSignal.any([signal, lost]);
        const filled = { counts: (one: StoredEvent) => counts(at, one), onPage, signal: stop };
        const last = await fillUntil(pool, store, schema, replay, filled);
        const [position, recordedAt] = [last?.position ?? START, last?.recordedAt ?? 0];
        const time = 'time' in at ? at.time : new Date(recordedAt);
        const machine = await serveTimeMachine({
          ...{ pool, store, schema, position, time, log },
          settings: { ...settings, port },
          connectionString: url.right,
        });
        const moment = `position ${position} of the log, ${time.toISOString()}`;
        terminal.out.write(`${machine.url} shows ${moment}, read-only, until Ctrl-C.\n`);
        if (!stop.aborted) await once(stop, 'abort');
        await machine.close();
        lost.throwIfAborted();
        return right({
          data: { url: machine.url, position, time: time.toISOString() },
          text: 'The time machine ended.',
        });
      });
    },
  );
};

/** The position of the last event of a moment; of a time, by the audit trail of the live system. */
const lastPosition = async (connectionString: string, at: Moment): Promise<string> => {
  if ('position' in at) return at.position;
  const db = openReadDatabase(readConnectionTo(connectionString));
  try {
    const { items } = await listAuditTrail(db, { to: at.time }, { limit: 1 });
    return items[0]?.position ?? START;
  } finally {
    await db.destroy();
  }
};
