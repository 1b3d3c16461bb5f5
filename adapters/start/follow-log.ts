import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { waitingApi } from '../http/public/waiting-api';
import { withPatience } from '../system/patience';
import { agreeOnLog } from '../postgres/agree-on-log';
import { listen } from './listen';
import { type OpenedEventStore } from './open-event-store';
import { Closers, type StartFailure } from '../system/closers';
import { type Startup } from './startup';

const FIRST_PATIENCE_MS = 2_000;
const PAUSE_MS = 500;

/**
 * Waits until the log answers, and makes sure that it is the one that the read models follow. Meanwhile both ports are
 * open: `/health` is 200, everything else 503, and `/ready` names the event store. Returns the log's id.
 */
export const followLog = async (
  pool: Pool,
  opened: OpenedEventStore,
  { settings, chosenPorts, log }: Pick<Startup, 'settings' | 'chosenPorts' | 'log'>,
): Promise<Either<StartFailure, string>> => {
  const { name } = opened;
  const placeholderServers = new Closers();
  let reason = '';
  const closePlaceholders = () =>
    placeholderServers.closeAll((name, error) => log.error({ err: error }, `${name} did not close cleanly`));
  for (let patienceMs = FIRST_PATIENCE_MS; ; patienceMs = settings.eventStore.patienceMs) {
    const agreed = await withPatience(patienceMs, () => agreeOnLog(pool, opened));
    if (!isLeft(agreed)) {
      if (reason !== '') log.info(`the event store (${name}) answers; the start continues`);
      await closePlaceholders();
      return agreed;
    }
    if (agreed.left.kind === 'refused') {
      await closePlaceholders();
      return left({ message: agreed.left.message });
    }
    if (reason !== agreed.left.reason) {
      log.warn(`the event store (${name}) cannot be used; waiting for it: ${agreed.left.reason}`);
    }
    const isFirst = reason === '';
    reason = agreed.left.reason;
    if (isFirst) {
      const trouble = () => ({ event_store: `${name}: ${reason}` });
      for (const api of ['public', 'internal'] as const) {
        const open = await listen(api, waitingApi(trouble), { settings, chosenPorts, closers: placeholderServers });
        if (isLeft(open)) return open;
      }
    }
    await sleep(PAUSE_MS);
  }
};
