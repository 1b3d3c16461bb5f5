import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { left } from 'fp-ts/Either';
import { pino } from 'pino';
import { requestKeyOf } from '../../../../adapters/contracts/graph-pod/request-signature';
import { internalApi } from '../../../../adapters/http/internal/internal-api';
import {
  type Component,
  type IdentifyComponent,
  signedTokens,
  signServiceToken,
} from '../../../../adapters/http/internal/service-token';
import { readConnectionTo } from '../../../../adapters/postgres/connection';
import { createPostgresEventStore } from '../../../../adapters/postgres/postgres-event-store';
import { createPostgresExportPolls } from '../../../../adapters/postgres/postgres-export-polls';
import { createPostgresIdGenerator } from '../../../../adapters/postgres/postgres-id-generator';
import { createPostgresProcessWork } from '../../../../adapters/postgres/postgres-process-work';
import { createPostgresTelemetryStore } from '../../../../adapters/postgres/postgres-telemetry-store';
import { startProcesses, startProjections } from '../../../../adapters/start/background';
import { FeedSignal } from '../../../../adapters/system/feed-signal';
import { ShutdownSteps } from '../../../../adapters/system/shutdown-steps';
import { systemClock } from '../../../../adapters/system/system-clock';
import { capacityCommands } from '../../../../commands/capacity/reserve-slot';
import { requestInstance } from '../../../../commands/instance/request-instance';
import { type CommandContext } from '../../../../commands/kit/command-context';
import { createMapping } from '../../../../commands/mapping/create-mapping';
import { FOR_EVERYONE, type InstanceStatus } from '../../../../domain/instance';
import { createCatchUp } from '../../../../projections/catch-up';
import { prepareProjections } from '../../../../projections/projection-tables';
import { projections } from '../../../../projections/registry';
import { findInstance } from '../../../../queries/instances';
import { openReadDatabase } from '../../../../queries/kit/database';
import { findSnapshot } from '../../../../queries/snapshots';
import { createTestPool } from '../../../support/create-test-pool';
import { expectInternalAnswer } from '../../../support/documented-answers';
import { createMappingCommand, OLIVIA } from '../../../support/domain-samples';
import { expectRight } from '../../../support/given-when-then';
import { createInMemoryObjectStore } from '../../../support/in-memory/in-memory-object-store';
import { PodsInMemory } from '../../../support/in-memory-system';
import { createTestDatabase } from '../../../support/postgres';
import { waitFor } from '../../../support/wait-for';

const instanceBaseUrl = 'http://graphs';
const SECRET = 'a secret of thirty-two characters!';
/** A token that the verifier cannot check at the moment. */
export const UNVERIFIABLE = 'unverifiable';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** `data` of a success, `error` of a refusal. */
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
}

/** The internal API on a database of its own, with the processes running and with pods that are only list entries. */
export const startInternalSystem = async (exportPlanner: 'control-plane' | 'submitter') => {
  const database = await createTestDatabase();
  const { connectionString } = database;
  const shutdownSteps = new ShutdownSteps();
  shutdownSteps.add('database', () => database.drop());
  const pool = createTestPool({ connectionString, max: 10 });
  shutdownSteps.add('pool', () => pool.end());
  const db = openReadDatabase(readConnectionTo(connectionString), () => undefined);
  shutdownSteps.add('read connections', () => db.destroy());
  const store = createPostgresEventStore({ pool, connectionString });
  shutdownSteps.add('store', () => store.close());
  const log = pino({ level: 'silent' });
  const ports = { store, clock: systemClock, ids: createPostgresIdGenerator(pool) };
  const catchUp = createCatchUp();
  const telemetry = createPostgresTelemetryStore(pool);
  await prepareProjections(pool, projections);
  const waitingReaders = new Map<string, string>();
  const [inputSignal, workSignal] = [new FeedSignal(), new FeedSignal()];
  startProjections(
    { pool, store, catchUp, waitingReaders, inputSignal, workSignal, shutdownSteps, log },
    () => undefined,
  );
  const changeCapacity = capacityCommands(ports);
  const pods = new PodsInMemory();
  const objectStore = createInMemoryObjectStore();
  const work = createPostgresProcessWork(pool, () => undefined);
  const processPorts = {
    ...ports,
    changeCapacity,
    podRuntime: pods,
    objectStore,
    instanceBaseUrl,
    exportPlanner,
    work,
  };
  startProcesses({ pool, work, waitingReaders, inputSignal, workSignal, shutdownSteps, log }, processPorts);
  const identify: IdentifyComponent = (token) =>
    token === UNVERIFIABLE
      ? Promise.resolve(left({ kind: 'unavailable', reason: 'connect ECONNREFUSED' }))
      : signedTokens(SECRET)(token);
  const server = await listen(
    createServer(
      internalApi(
        {
          ports,
          db,
          catchUp,
          telemetry,
          polls: createPostgresExportPolls(pool),
          requestKeyOf: (pod) => requestKeyOf(SECRET, pod),
          objectStore,
          instanceBaseUrl,
        },
        identify,
        (_request, refusal) => refusal,
        log,
      ),
    ),
  );
  shutdownSteps.add('server', () => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/internal`;

  const send = async (
    component: Component,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> => {
    const response = await fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${signServiceToken(SECRET, component, 60)}`,
        'X-Component': component.kind,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers: received } = response;
    expectInternalAnswer(method, path, { status, headers: Object.fromEntries(received), text });
    return {
      status,
      headers: received,
      ...(text === '' ? {} : (JSON.parse(text) as Pick<Answered, 'data' | 'error'>)),
    };
  };
  const context = (username: string): CommandContext => {
    const commandId = ports.ids.uuid();
    const actor = { username, role: 'analyst' } as const;
    return { actor, commandId, correlationId: commandId, causationId: commandId };
  };

  return {
    ports,
    db,
    catchUp,
    pods,
    origin,
    workerToken: () => signServiceToken(SECRET, { kind: 'worker' }, 60),
    asWorker: (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      send({ kind: 'worker' }, method, path, body, headers),
    asPod: (instanceId: number, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      send({ kind: 'wrapper', life: null, instanceId }, method, path, body, headers),
    asPodOfLife: (instanceId: number, life: number, path: string) =>
      send({ kind: 'wrapper', life, instanceId }, 'GET', `/instances/${instanceId}/${path}`),
    /** Creates a mapping with a node and an edge, and an instance of it; resolves when its snapshot is requested. */
    newInstance: async (
      owner = `user-${ports.ids.uuid()}`,
    ): Promise<{ readonly instanceId: number; readonly snapshotId: number }> => {
      const { type: _type, mappingId: _id, ...body } = createMappingCommand();
      const { mappingId } = expectRight(await createMapping(ports, body, context(owner)));

      const handled = await requestInstance(
        { ...ports, changeCapacity },
        {
          ...{ mappingId, mappingVersion: null, wrapperType: 'graphdb_a', cpuCores: 2, access: FOR_EVERYONE },
          ...{ name: 'My graph', description: '', ttl: null, inactivityTimeout: null },
        },
        context(owner),
      );
      const { instanceId = 0, snapshotId = 0 } = expectRight(handled).state ?? {};
      await waitFor(
        'the read model contains the snapshot',
        async () => (await findSnapshot(db, OLIVIA, snapshotId)) !== null,
      );
      return { instanceId, snapshotId };
    },
    snapshot: (id: number) => findSnapshot(db, OLIVIA, id),
    instance: (id: number) => findInstance(db, OLIVIA, id, instanceBaseUrl),
    untilInstanceIs: (id: number, status: InstanceStatus) =>
      waitFor(
        `instance ${id} is ${status}`,
        async () => (await findInstance(db, OLIVIA, id, instanceBaseUrl))?.status === status,
      ),
    close: () =>
      shutdownSteps.closeAll((name, error) => {
        throw new Error(`${name} did not close: ${String(error)}`);
      }),
  };
};
export type InternalSystem = Awaited<ReturnType<typeof startInternalSystem>>;

const listen = (server: Server): Promise<Server> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
