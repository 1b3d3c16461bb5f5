import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { queryDatabase } from '../support/at-rest';
import { commandProgram } from '../support/command-line';
import { createInstance, createMapping, deleteInstance } from '../support/instances';
import { type RunningSystem, startRunningSystem } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { settingsOfLogOn } from '../support/system-event-store';
import { waitFor } from '../support/wait-for';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';

jest.setTimeout(400_000);

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

describeWithEventStore('a system with one store restored from an older backup', () => {
  let home: string;
  let server: EventStoreServer;
  let system: RunningSystem;
  const given = new Set<string>();
  const names: string[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'rowgraph-restored-'));
    server = await startEventStoreServer({ dataDirectory: join(home, 'events') });
    system = await startRunningSystem(fillWarehouse, {
      ...settingsOfLogOn(server.connectionString),
      ROWGRAPH_POD_RUNTIME: 'none',
      ROWGRAPH_EMBEDDED_WORKER: 'off',
    });
    await useIt();
    await system.stop();
    await server.kill();
    await copy(join(home, 'events'), join(home, 'older-events'));
    await copy(join(system.folder, 'postgres'), join(home, 'older-postgres'));
    await server.restart();
    await system.start();
    await useIt();
    await system.stop();
  });
  afterAll(async () => {
    await system.close();
    await server.stop();
    await rm(home, { recursive: true });
  });

  /** Creates one of every resource and deletes half of them; no id may be given twice. */
  const useIt = async (): Promise<void> => {
    const ada = system.as('ada');
    const name = `Town ${names.length}`;
    names.push(name);
    const mapping = await createMapping(ada, { ...townMapping, name });
    const instance = await createInstance(ada, mapping);
    const planned = () =>
      queryDatabase<{ id: string }>(
        system,
        `SELECT 'snapshot ' || id AS id FROM snapshots WHERE mapping_id = ${mapping} UNION ALL
         SELECT 'job ' || j.id FROM export_jobs j JOIN snapshots s ON s.id = j.snapshot_id WHERE s.mapping_id = ${mapping}`,
      );
    await waitFor('the export is planned', async () => (await planned()).length === 3);
    const ids = [`mapping ${mapping}`, `instance ${instance}`, ...(await planned()).map(({ id }) => id)];
    const deleted = await createMapping(ada, townMapping);
    await ada.call('deleteMapping', { id: deleted });
    await deleteInstance(ada, instance);
    for (const id of [...ids, `mapping ${deleted}`]) {
      if (given.has(id)) throw new Error(`${id} was given twice`);
      given.add(id);
    }
  };

  const mappingNames = async () =>
    (await system.as('ada').call('listMappings', { query: { limit: 100 } })).data.map(({ name }) => name).sort();

  it('continues when it is PostgreSQL: nothing is lost, and no id is reused', async () => {
    await rm(join(system.folder, 'postgres'), { recursive: true });
    await copy(join(home, 'older-postgres'), join(system.folder, 'postgres'));

    await system.start();

    expect(await mappingNames()).toEqual(names);
    await useIt();
    expect(system.output()).toContain('the log contains ids that the database has not generated');
    await system.stop();
  });

  it('is rejected when it is EventStoreDB; a system that adopts the older log reuses no id either', async () => {
    await server.kill();
    await rm(join(home, 'events'), { recursive: true });
    await copy(join(home, 'older-events'), join(home, 'events'));
    await server.restart();

    await expect(system.start()).rejects.toThrow(/position \d+.*rowgraph log adopt/s);
    const adopted = await commandProgram(system.folder)(['log', 'adopt', '--yes'], { environment: system.environment });
    expect(adopted).toMatchObject({ code: 0 });
    await system.start();

    expect(await mappingNames()).toEqual(names.slice(0, 1));
    await useIt();
    await system.stop();
  });
});
