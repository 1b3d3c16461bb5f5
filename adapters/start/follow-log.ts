import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { withPatience } from '../system/patience';
import { agreeOnLog } from '../postgres/agree-on-log';
import { type OpenedEventStore } from './open-event-store';
import { type StartFailure } from '../system/closers';
import { type Startup } from './startup';

const FIRST_PATIENCE_MS = 2_000;
const PAUSE_MS = 500;

/** Waits until the log answers, and makes sure that it is the one that the read models follow. Returns the log's id. */
export const followLog = async (
  pool: Pool,
  opened: OpenedEventStore,
  { settings, waitsFor, log }: Pick<Startup, 'settings' | 'waitsFor' | 'log'>,
): Promise<Either<StartFailure, string>> => {
  const { name } = opened;
  let reason = '';
  waitsFor.set('event_store', () => `${name}: ${reason === '' ? 'not read yet' : reason}`);
  for (let patienceMs = FIRST_PATIENCE_MS; ; patienceMs = settings.eventStore.patienceMs) {
    const agreed = await withPatience(patienceMs, () => agreeOnLog(pool, opened));
    if (!isLeft(agreed)) {
      if (reason !== '') log.info(`the event store (${name}) answers; the start continues`);
      waitsFor.delete('event_store');
      return agreed;
    }
    if (agreed.left.kind === 'refused') return left({ message: agreed.left.message });
    if (reason !== agreed.left.reason) {
      log.warn(`the event store (${name}) cannot be used; waiting for it: ${agreed.left.reason}`);
    }
    reason = agreed.left.reason;
    await sleep(PAUSE_MS);
  }
};
