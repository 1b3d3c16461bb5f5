import { queryDatabase } from '../support/at-rest';
import { commandProgram } from '../support/command-line';
import { ask, createInstance, createMapping, deleteInstance, untilRunning } from '../support/instances';
import { untilMoment } from '../support/moments';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { crowdOf, fillWarehouse, townMapping } from '../support/sample-mappings';
import { settingsOfLogOn } from '../support/system-event-store';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';

jest.setTimeout(400_000);

const PEOPLE = 1_000;
const COUNT = 'MATCH (p:Person) RETURN count(*)';

describeWithEventStore('a system whose log moves during the export of an instance', () => {
  let server: EventStoreServer;
  let system: RunningSystem;
  let mapping: number;
  beforeAll(async () => {
    server = await startEventStoreServer();
    system = await startRunningSystem(fillWarehouse, { ROWGRAPH_EVENT_STORE: 'postgres' });
    mapping = await createMapping(system.as('ada'), crowdOf(PEOPLE));
    await system.as('ada').call('deleteMapping', { id: await createMapping(system.as('ada'), townMapping) });
    await parkFavorite();
    settings.eventstoredb = settingsOfLogOn(server.connectionString);
  });
  afterAll(async () => {
    await system.close();
    await server.stop();
  });

  const settings: Record<'postgres' | 'eventstoredb', Readonly<Record<string, string>>> = {
    postgres: {},
    eventstoredb: {},
  };
  const instances: number[] = [];
  const parked = { reader: 'favorites', stream_id: 'favorites-ada' };

  /** The event of a favorite is parked although it was applied, so that it fails when it is retried. */
  const parkFavorite = async (): Promise<void> => {
    await system.as('ada').call('addFavorite', { body: { resource_type: 'mapping', resource_id: mapping } });
    await queryDatabase(
      system,
      `INSERT INTO es.parked (reader, version, epoch, stream_id, position, event_stream_id, event_revision, event_type, error)
       SELECT s.name, s.version, s.epoch, e.stream_id, e.position, e.stream_id, e.revision, e.type, 'a bug'
       FROM es.events e, es.subscriptions s WHERE e.type = 'FavoriteAdded' AND s.name = 'favorites'`,
    );
  };

  /** Everything visible to users that does not change by itself. */
  const whatIsSeen = async () => {
    const [ada, olivia] = [system.as('ada'), system.as('olivia')];
    const { data: events } = await olivia.call('listParkedEvents');
    return {
      users: (await olivia.call('listUsers')).data,
      mappings: (await ada.call('listMappings')).data,
      mapping: (await ada.call('getMapping', { id: mapping })).data,
      favorites: (await ada.call('listFavorites')).data,
      parked: events.map(({ reader, stream_id, event_type, error }) => ({ reader, stream_id, event_type, error })),
    };
  };

  it.each([
    ['postgres', 'eventstoredb'],
    ['eventstoredb', 'postgres'],
  ] as const)('continues when it moves from %s to %s', async (from, to) => {
    const ada = system.as('ada');
    const request = {
      body: { ...townMapping, name: `Created in ${from}` },
      headers: { 'Idempotency-Key': `in-${from}` },
    };
    const created = await ada.call('createMapping', request);
    const instance = await createInstance(ada, mapping);
    await untilMoment(ada, instance, 'is being exported');
    const before = await whatIsSeen();
    expect(before.parked).toHaveLength(1);
    await system.stop();

    const copied = await commandProgram(system.folder)(['log', 'copy', '--from', from, '--to', to], {
      environment: { ROWGRAPH_DATA_DIR: system.folder, ...settings.eventstoredb },
    });
    expect(copied).toMatchObject({ code: 0 });
    await expect(system.start(settings[from])).rejects.toThrow(
      `Set ROWGRAPH_EVENT_STORE=${to}, or move the log: rowgraph log copy --from ${to} --to ${from}`,
    );
    await system.start(settings[to]);

    expect(await whatIsSeen()).toEqual(before);
    const repeated = await ada.call('createMapping', request);
    expect(repeated.data).toEqual(created.data);
    const position = String(repeated.headers['x-event-position']);
    await ada.call('listMappings', { headers: { 'X-Min-Position': position } });
    instances.push(instance);
    for (const id of instances) {
      const { instance_url } = await untilRunning(ada, id);
      expect(await ask(ada, instance_url, COUNT)).toEqual([[PEOPLE]]);
    }
    expect(await createMapping(ada, townMapping)).toBeGreaterThan(created.data.id);
    const next = await createInstance(ada, mapping);
    expect(next).toBeGreaterThan(instance);
    await deleteInstance(ada, next);
    const retried = await system.as('olivia').call('retryParkedEvents', { body: { ...parked, reason: 'moved' } });
    expect(retried.data).toMatchObject({ remaining: 1, error: expect.stringContaining('duplicate key') as string });
  });
});
