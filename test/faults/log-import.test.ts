import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLogFile } from '../../adapters/log-copy/log-file';
import { pagesOf } from '../../adapters/log-copy/log-pages';
import { readFollowedLog } from '../../adapters/postgres/followed-log';
import { releaseLeases } from '../../adapters/postgres/postgres-process-work';
import { createRandom } from '../../pod/graph/algorithms/graph/random';
import { contentOf, emptyLog, fillLog } from '../adapters/log-copy/sample-log';
import { succeeded } from '../contracts/event-store/event-samples';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { commandProgram, killedProgram } from '../support/command-line';

/** An event of the second page. */
const STOPS_AT = 700;
const LOCK = 4711;

let fixture: ProjectionFixture;
let folder: string;
beforeEach(async () => {
  fixture = await createProjectionFixture();
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-import-'));
});
afterEach(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

test('an import that was killed in the middle resumes when it is run again', async () => {
  const [source, file] = [emptyLog(), join(folder, 'log.ndjson')];
  await fillLog(source, 500, createRandom(13));
  const { events } = succeeded(await writeLogFile(file, 'the-log', pagesOf('the source', source)));
  const environment = { ROWGRAPH_DATA_DIR: join(folder, 'data'), ROWGRAPH_DATABASE_URL: fixture.connectionString };
  const { pool } = fixture;
  const gate = await pool.connect();
  await gate.query('SELECT pg_advisory_lock($1)', [LOCK]);
  await pool.query(
    `CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_advisory_xact_lock(${LOCK}); RETURN NEW; END';
     CREATE TRIGGER gate BEFORE INSERT ON es.events FOR EACH ROW WHEN (NEW.position = ${STOPS_AT})
       EXECUTE FUNCTION wait_at_gate()`,
  );

  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
  const isAtGate = async () => (await pool.query(`SELECT ${waiting}`)).rowCount === 1;
  await killedProgram(folder, ['log', 'import', file], environment, isAtGate);
  await pool.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
  gate.release(true);
  await pool.query('DROP FUNCTION wait_at_gate CASCADE');
  // As if the nine-second lease of the killed run had expired.
  await releaseLeases(pool);
  const half = (await contentOf(fixture.store)).length;
  expect(half).toBeGreaterThan(0);
  expect(await readFollowedLog(pool)).toMatchObject({ copy: { store: 'postgres', logId: 'the-log' } });

  const finished = await commandProgram(folder)(['log', 'import', file, '--json'], { environment });

  expect(finished).toMatchObject({ code: 0 });
  expect(JSON.parse(finished.out)).toMatchObject({ events, written: events - half });
  expect(await contentOf(fixture.store)).toEqual(await contentOf(source));
  expect(await readFollowedLog(pool)).toEqual({ store: 'postgres', logId: 'the-log', copy: null });
});
