import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { type ProcessCommandPorts } from '../../commands/processes/execute-process-command';
import { runProcessInputs, runProcessWork } from '../../commands/processes/process-loops';
import { type StoredEvent } from '../../domain/kernel/event';
import { PROCESSES } from '../../domain/ports/parked-inputs';
import { type EventStore, type FeedPage } from '../../domain/ports/event-store';
import { type CatchUp } from '../../projections/catch-up';
import { projections } from '../../projections/registry';
import { runProjections } from '../../projections/runner';
import { createPostgresCheckpointStore } from '../postgres/postgres-checkpoint-store';
import { createPostgresParkedInputs } from '../postgres/postgres-parked-inputs';
import { createPostgresProcessWork } from '../postgres/postgres-process-work';
import { type Startup } from './startup';

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const troubleLog = (log: Logger) => (what: string, error: unknown) => {
  log.warn({ err: error }, `${what} failed; trying again`);
};

const logParked =
  (log: Logger) =>
  (reader: string, { type, position }: StoredEvent, streamId: string, error: string): void =>
    log.error(
      { reader, streamId, position, type, error },
      `${reader} cannot take in the ${type} at position ${position}; ${streamId} is held back for it from there on. See docs/runbooks/parked-events.md`,
    );

export interface ProjectionParts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly catchUp: CatchUp;
  readonly onPage: (page: FeedPage) => void;
}

/** Starts the projections' runner. */
export const startProjections = (
  { pool, store, catchUp, onPage }: ProjectionParts,
  { closers, log }: Pick<Startup, 'closers' | 'log'>,
): void =>
  closers.addLoop('projections', (signal) =>
    runProjections({
      pool,
      store,
      projections,
      signal,
      onProgress: catchUp.advance,
      onPage,
      onParked: ({ reader, event, error }) => logParked(log)(reader, event, event.streamId, error),
      onTrouble: troubleLog(log),
      pause,
    }),
  );

/** Starts what drives the processes: the reader of their inputs and the executor of their commands and timers. */
export const startProcesses = (
  pool: Pool,
  ports: ProcessCommandPorts,
  catchUp: CatchUp,
  { closers, log }: Pick<Startup, 'closers' | 'log'>,
): void => {
  const loopPorts = {
    ...ports,
    work: createPostgresProcessWork(pool, (message) => log.error(message)),
    checkpoints: createPostgresCheckpointStore(pool),
    parked: createPostgresParkedInputs(pool),
    onParked: (streamId: string, event: StoredEvent, error: string) =>
      logParked(log)(PROCESSES, event, streamId, error),
    nextWork: () => catchUp.nextChange(1000),
    onTrouble: troubleLog(log),
    pause,
  };
  closers.addLoop('processes', (signal) =>
    Promise.all([runProcessInputs(loopPorts, signal), runProcessWork(loopPorts, signal)]),
  );
};
