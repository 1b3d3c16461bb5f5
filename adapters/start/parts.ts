import { capacityCommands, type ChangeCapacity } from '../../commands/capacity/reserve-slot';
import { type CommandPorts } from '../../commands/kit/command-context';
import { RecentStreams } from '../../commands/kit/recent-streams';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type CatchUp, createCatchUp } from '../../projections/catch-up';
import { measuredCatchUp } from '../metrics/measured-catch-up';
import { measuredEventStore } from '../metrics/measured-event-store';
import { createMetrics, type Metrics } from '../metrics/metrics';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { createPostgresProcessWork } from '../postgres/postgres-process-work';
import { afterLostRace } from '../system/after-lost-race';
import { FeedSignal } from '../system/feed-signal';
import { systemClock } from '../system/system-clock';
import { measureSystem } from '../metrics/measure-system';
import { type Storage } from './open-storage';
import { openPods, type Pods } from './pods';
import { openQueryEngine } from './query-engine';
import { type OpenedSchemaCache, openSchemaCache } from './schema-cache';
import { type Startup } from './startup';

/** What the programs of the control plane share: the APIs, the processes and the background jobs. */
export interface Parts extends Storage {
  readonly ports: CommandPorts;
  readonly changeCapacity: ChangeCapacity;
  readonly catchUp: CatchUp;
  readonly pods: Pods;
  readonly queryEngine: EngineInspector;
  readonly schema: OpenedSchemaCache;
  readonly metrics: Metrics;
  /** Announces that a job was triggered. */
  readonly triggerSignal: FeedSignal;
  /** Announces events that processes listen to. */
  readonly inputSignal: FeedSignal;
  /** Announces that the processes may have queued commands or set timers. */
  readonly workSignal: FeedSignal;
}

/** Opens everything that needs no read model yet. */
export const openParts = async (
  storage: Storage,
  platformCheck: Pods['unavailableReason'],
  startup: Startup,
): Promise<Parts> => {
  const { pool, db, secret, objects } = storage;
  const catchUp = createCatchUp();
  const pods = await openPods({ secret, storageRoot: objects.root }, platformCheck, startup);
  const work = createPostgresProcessWork(pool, (message) => startup.log.error(message));
  const metrics = createMetrics(
    () => measureSystem({ pool, store: storage.store, db, catchUp, podRuntime: pods.runtime, work }),
    storage.logTroubles,
    () => storage.writes.failures(),
  );
  const store = measuredEventStore(storage.store, metrics);
  const ids = createPostgresIdGenerator(pool);
  const ports = { store, clock: systemClock, ids, afterLostRace, recent: new RecentStreams() };
  const queryEngine = openQueryEngine(startup);
  return {
    ...storage,
    store,
    ports,
    changeCapacity: capacityCommands(ports),
    catchUp: measuredCatchUp(catchUp, metrics),
    pods,
    queryEngine,
    schema: await openSchemaCache(storage.connectionString, queryEngine, startup),
    metrics,
    triggerSignal: new FeedSignal(),
    inputSignal: new FeedSignal(),
    workSignal: new FeedSignal(),
  };
};
