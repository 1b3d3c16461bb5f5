import { isLeft, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type LocalContext, type Outcome } from '../cli/action';
import { type Answer, failed } from '../cli/failure';
import { lockDatabase } from '../postgres/database-lock';
import { type StoreKind } from '../postgres/followed-log';
import { type EventStoreSettings } from '../start/event-store-settings';
import { type OpenedEventStore, openEventStore } from '../start/open-event-store';
import { openMigratedDatabase } from '../start/open-migrated-database';
import { readSettings, type Settings } from '../start/settings';
import { createLog } from '../system/log-options';
import { ShutdownSteps } from '../system/shutdown-steps';
import { findDatabase } from './find-database';

/** The stores of a stopped system, which cannot start until the command ends. */
export interface StoppedSystem {
  readonly settings: Settings;
  readonly pool: Pool;
  /** Opens the log in one of the stores; it is closed together with the stores. */
  readonly openLog: (kind: StoreKind) => Answer<OpenedEventStore>;
  /** Why the command must stop writing; null while it may continue. */
  readonly lost: () => string | null;
}

/**
 * Opens the stores of the system in the settings for one command: locks its data folder and its database; starts an
 * embedded database. `mayBeNew`: also in a folder where a system has not run yet.
 */
export const withStoppedSystem = async (
  { environment }: LocalContext,
  mayBeNew: boolean,
  use: (system: StoppedSystem) => Outcome,
): Outcome => {
  const settings = readSettings(environment);
  if (isLeft(settings)) return left(failed(...settings.left));
  const present = mayBeNew ? null : findDatabase(settings.right);
  if (present !== null && isLeft(present)) return present;
  const shutdownSteps = new ShutdownSteps();
  const log = createLog('error');
  try {
    const system = await open(settings.right, shutdownSteps, log);
    return isLeft(system) ? system : await use(system.right);
  } catch (error) {
    return left(failed(`The command failed: ${error instanceof Error ? error.message : String(error)}`));
  } finally {
    await shutdownSteps.closeAll((name, error) => log.error({ err: error }, `${name} did not close cleanly`));
  }
};

const open = async (
  settings: Settings,
  shutdownSteps: ShutdownSteps,
  log: ReturnType<typeof createLog>,
): Answer<StoppedSystem> => {
  let lost: string | null = null;
  const startup = { settings, shutdownSteps, log, fail: (reason: string) => void (lost ??= reason) };
  const database = await openMigratedDatabase(startup, { statementTimeoutMs: 0 });
  if (isLeft(database)) return left(failed(database.left.message));
  const { pool, connectionString } = database.right;
  const locked = await lockDatabase(connectionString, 'exclusive', startup);
  if (isLeft(locked)) {
    const { name, since } = locked.left;
    return left(
      failed(
        `A control plane or a rowgraph command uses this database: ${name}, since ${since.toISOString()}. Stop it first.`,
      ),
    );
  }
  const openLog: StoppedSystem['openLog'] = async (kind) => {
    const { eventStore } = settings;
    const where: EventStoreSettings | null =
      kind === 'postgres'
        ? { kind, timeoutMs: eventStore.timeoutMs }
        : eventStore.kind === 'postgres'
          ? null
          : { ...eventStore, resends: false };
    if (where === null) {
      return left(
        failed(
          'The address of EventStoreDB is missing. Set ROWGRAPH_EVENT_STORE=eventstoredb and ROWGRAPH_EVENT_STORE_URL for this command.',
        ),
      );
    }
    const opened = await openEventStore(where, { pool, connectionString }, (message) => log.error(message));
    if (isLeft(opened)) return left(failed(opened.left.message));
    shutdownSteps.add(`event store ${kind}`, () => opened.right.close());
    return opened;
  };
  return right({ settings, pool, openLog, lost: () => lost });
};
