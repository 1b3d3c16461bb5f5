import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLogFile } from '../../adapters/log-copy/log-file';
import { pagesOf } from '../../adapters/log-copy/log-pages';
import { readFollowedLog } from '../../adapters/postgres/followed-log';
import { releaseLeases } from '../../adapters/postgres/postgres-process-work';
import { STREAM_CATEGORIES } from '../../domain/events';
import { START } from '../../domain/kernel/event';
import { createRandom } from '../../pod/graph/algorithms/graph/random';
import { contentOf, emptyLog, fillLog } from '../adapters/log-copy/sample-log';
import { succeeded } from '../contracts/event-store/event-samples';
import { commandProgram, killedProgram } from '../support/command-line';
import { createTestPool } from '../support/create-test-pool';
import { createTestDatabase } from '../support/postgres';
import { settingsOfLogOn } from '../support/system-event-store';
import { describeWithEventStore } from './support/event-store-command';
import { startEventStoreServer } from './support/event-store-server';
import { openStore } from './support/open-store';

jest.setTimeout(300_000);

describeWithEventStore('an import into a real EventStoreDB', () => {
  it('an import that is repeatedly killed while it writes resumes, and ends with the same log', async () => {
    const server = await startEventStoreServer();
    const database = await createTestDatabase();
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-log-import-'));
    const [source, file] = [emptyLog(), join(folder, 'log.ndjson')];
    await fillLog(source, 2_000, createRandom(19));
    const { events } = succeeded(await writeLogFile(file, 'the-log', pagesOf('the source', source)));
    const environment: Readonly<Record<string, string>> = {
      ...settingsOfLogOn(server.connectionString),
      ROWGRAPH_DATA_DIR: join(folder, 'data'),
      ROWGRAPH_DATABASE_URL: database.connectionString,
    };
    const words = ['log', 'import', file, '--json'];
    const pool = createTestPool({ connectionString: database.connectionString });
    const prefix = environment['ROWGRAPH_EVENT_STORE_PREFIX'] ?? '';
    const target = openStore(server, { prefix, categories: STREAM_CATEGORIES });
    let [seen, after] = [0, START];
    for (const share of [0.1, 0.4]) {
      const isWritten = async () => {
        const page = succeeded(await target.store.readAll(after, 1_000));
        [seen, after] = [seen + page.events.length, page.position];
        return seen > share * events;
      };
      await killedProgram(folder, words, environment, isWritten);
      expect(await readFollowedLog(pool)).toMatchObject({ copy: { store: 'eventstoredb', logId: 'the-log' } });
      // As if the nine-second lease of the killed run had expired.
      await releaseLeases(pool);
    }

    const finished = await commandProgram(folder)(words, { environment });

    expect(finished).toMatchObject({ code: 0 });
    const { written } = JSON.parse(finished.out) as { written: number };
    expect(written).toBeLessThan(0.6 * events);
    expect(await contentOf(target.store)).toEqual(await contentOf(source));
    expect(succeeded(await target.identity.read())).toBe('the-log');
    expect(await readFollowedLog(pool)).toEqual({ store: 'eventstoredb', logId: 'the-log', copy: null });
    await target.close();
    await pool.end();
    await database.drop();
    await server.stop();
    await rm(folder, { recursive: true });
  });
});
