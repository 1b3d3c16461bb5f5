import { isLeft, left, right } from 'fp-ts/Either';
import { pino } from 'pino';
import { createPostgresLogIdentity } from '../../../adapters/postgres/event-reader';
import { logName } from '../../../adapters/start/event-store-settings';
import { listenWhileStarting } from '../../../adapters/start/listen';
import { followLog, type OpenedEventStore } from '../../../adapters/start/open-event-store';
import { readSettings } from '../../../adapters/start/settings';
import { ShutdownSteps } from '../../../adapters/system/shutdown-steps';
import { systemClock } from '../../../adapters/system/system-clock';
import { freePort } from '../../support/free-port';
import { expectRight } from '../../support/given-when-then';
import { createInMemoryEventStore } from '../../support/in-memory/in-memory-event-store';
import { poolOfEachTest } from '../../support/pool-of-each-test';
import { waitFor } from '../../support/wait-for';

const database = poolOfEachTest();

test('the start waits with both ports open while the log does not answer, and reports it without the password', async () => {
  const [port, internalPort] = [await freePort(), await freePort()];
  const settings = expectRight(
    readSettings({
      ROWGRAPH_PORT: String(port),
      ROWGRAPH_INTERNAL_PORT: String(internalPort),
      ROWGRAPH_EVENT_STORE: 'eventstoredb',
      ROWGRAPH_EVENT_STORE_URL: 'esdb://ada:hunter2@log.example:2113',
      ROWGRAPH_EVENT_STORE_PREFIX: 'team.',
    }),
  );
  let isThere = false;
  const own = createPostgresLogIdentity(database.pool);
  const opened: OpenedEventStore = {
    kind: 'eventstoredb',
    name: logName(settings.eventStore),
    store: createInMemoryEventStore(systemClock),
    identity: {
      ...own,
      read: () =>
        isThere ? own.read() : Promise.resolve(left({ kind: 'unavailable', reason: 'no connection could be made' })),
    },
    connectionCounts: { resends: 0, reconnections: 0 },
    close: () => Promise.resolve(),
  };
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const shutdownSteps = new ShutdownSteps();
  const startup = { settings, heldPorts: new Map(), waitsFor: new Map(), shutdownSteps, log };
  expectRight(await listenWhileStarting(startup));
  const following = followLog(database.pool, opened, startup);

  const get = (path: string, at = port) => fetch(`http://127.0.0.1:${at}${path}`);
  await waitFor('the reader reports that it waits for the log', () =>
    lines.some((line) => line.includes('waiting for it')),
  );
  for (const at of [port, internalPort]) {
    expect((await get('/health', at)).status).toBe(200);
    const ready = await get('/ready', at);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'not_ready',
      trouble: {
        event_store: 'EventStoreDB at esdb://log.example:2113, prefix team.: no connection could be made',
      },
    });
  }
  const other = await get('/api/mappings');
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await other.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });

  isThere = true;
  expect(isLeft(await following)).toBe(false);
  await shutdownSteps.closeAll((_name, error) => expect(error).toBeNull());
  await expect(get('/health')).rejects.toThrow('fetch failed');
  expect(await own.read()).not.toEqual(right(null));
  expect(lines.join('')).toContain('EventStoreDB at esdb://log.example:2113');
  expect(lines.join('')).not.toContain('hunter2');
});
