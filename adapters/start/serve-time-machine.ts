import { once } from 'node:events';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { capacityCommands } from '../../commands/capacity/reserve-slot';
import { StreamCache } from '../../commands/kit/stream-cache';
import { type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { createCatchUp } from '../../projections/catch-up';
import { openReadDatabase } from '../../queries/kit/database';
import { signRequestsWith } from '../contracts/graph-pod/request-signature';
import { internalSecret } from '../filesystem/data-folder';
import { identifyCaller, keyOf } from '../http/identity';
import { createHttpServer } from '../http/kit/http-server';
import { refusedCalls } from '../http/kit/refused-calls';
import { createHttpPodClient } from '../http/pods/http-pod-client';
import { timeMachineApi } from '../http/public/time-machine-api';
import { readConnectionTo } from '../postgres/connection';
import { createPostgresIdGenerator } from '../postgres/postgres-id-generator';
import { openObjectStore } from '../s3/open-object-store';
import { systemClock } from '../system/system-clock';
import { guardHosts } from './listen';
import { noPodRuntime } from './pods';
import { openIdentity } from './serve-public-api';
import { httpUrl, type Settings } from './settings';
import { storeUntil } from './store-until';

/** Read models of an earlier moment, and the live system beside them. */
export interface TimeMachine {
  readonly settings: Settings;
  readonly connectionString: string;
  readonly pool: Pool;
  readonly store: EventStore;
  /** Contains the read models of the moment. */
  readonly schema: string;
  readonly position: Position;
  readonly time: Date;
  readonly log: Logger;
}

/** Serves the reads of an earlier moment on the port of the settings. Users and keys are those of the live system. */
export const serveTimeMachine = async (machine: TimeMachine) => {
  const { settings, connectionString, pool, position, time, log } = machine;
  const warn = (message: string): void => log.warn(message);
  const live = openReadDatabase(readConnectionTo(connectionString), warn);
  const db = openReadDatabase(readConnectionTo(connectionString, [machine.schema]), warn);
  const catchUp = createCatchUp();
  catchUp.advance(position);
  const secret = settings.internalSecret ?? internalSecret(settings.dataDirectory);
  const store = storeUntil(machine.store, position);
  const shared = { store, ids: createPostgresIdGenerator(pool), streams: new StreamCache() };
  const ports = { ...shared, clock: { now: () => time } };
  const today = { settings, log, ports: { ...shared, clock: systemClock }, db: live, catchUp, secret };
  const { identify, provisionUser, addressOf } = openIdentity(today);
  const app = timeMachineApi(
    {
      ...{ ports, db, catchUp, podRuntime: noPodRuntime, issuesFirstKey: false },
      changeCapacity: capacityCommands(ports),
      podClient: createHttpPodClient({ podRuntime: noPodRuntime, sign: signRequestsWith(secret), log }),
      work: { failureOf: () => Promise.resolve(null) },
      instanceBaseUrl: settings.podRuntime === 'none' ? null : settings.instanceBaseUrl,
      cleanup: { testUsers: [], objectStore: await openObjectStore(settings.s3, settings.objectStoreDirectory) },
    },
    {
      ...{ position, time, log },
      callerOf: identifyCaller(live, catchUp, identify, provisionUser, null),
      answerRefusal: refusedCalls({
        ...{ perMinute: settings.refusedCallsPerMinute, addressOf, keyOf },
        note: () => undefined,
      }),
    },
  );
  const server = createHttpServer({ app, listener: guardHosts('public', settings, app) });
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The time machine has no port.');
  return {
    url: httpUrl(settings.host, address.port),
    close: async (): Promise<void> => {
      await server.drain();
      await Promise.all([db.destroy(), live.destroy()]);
    },
  };
};
