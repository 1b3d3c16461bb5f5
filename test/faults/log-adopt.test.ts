import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft, right } from 'fp-ts/Either';
import { createPostgresLogIdentity } from '../../adapters/postgres/event-reader';
import { recordFollowedLog, verifyLog } from '../../adapters/postgres/followed-log';
import { createPostgresIdGenerator } from '../../adapters/postgres/postgres-id-generator';
import { createPostgresIdempotencyStore } from '../../adapters/postgres/postgres-idempotency-store';
import { createProjectionFixture, type ProjectionFixture } from '../projections/projection-fixture';
import { appendInstance } from '../projections/sample-events';
import { commandProgram } from '../support/command-line';
import { expectRight } from '../support/given-when-then';

let fixture: ProjectionFixture;
let folder: string;
beforeEach(async () => {
  fixture = await createProjectionFixture();
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-adopt-'));
});
afterEach(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

const follow = async (): Promise<void> => {
  const running = fixture.run();
  await running.caughtUp();
  await running.stop();
};

test('a system that adopts a log rebuilds the same read models, never reuses an id, and keeps the answers to repeated requests', async () => {
  for (const n of [1, 2, 3]) await appendInstance(fixture.store, n);
  await follow();
  const rows = await fixture.rows();
  const given = await createPostgresIdGenerator(fixture.pool).next('instance', 9);
  await recordFollowedLog(fixture.pool, { store: 'eventstoredb', logId: 'gone', copy: null });
  const answers = createPostgresIdempotencyStore(fixture.pool);
  await answers.begin('ada POST /api/mappings', 'a key', 'hash');
  await answers.complete('ada POST /api/mappings', 'a key', right({ body: { id: 1 }, position: '99999' }));
  const log = {
    kind: 'postgres' as const,
    name: 'PostgreSQL',
    store: fixture.store,
    identity: createPostgresLogIdentity(fixture.pool),
  };
  expect(isLeft(await verifyLog(fixture.pool, log))).toBe(true);

  const environment = { ROWGRAPH_DATA_DIR: folder, ROWGRAPH_DATABASE_URL: fixture.connectionString };
  const adopted = await commandProgram(folder)(['log', 'adopt', '--yes'], { environment });

  expect(adopted).toMatchObject({ code: 0, out: expect.stringContaining('This system follows the log') as unknown });
  expectRight(await verifyLog(fixture.pool, log));
  expect(await answers.begin('ada POST /api/mappings', 'a key', 'hash')).toHaveProperty(
    'answer',
    right({ body: { id: 1 } }),
  );
  await follow();
  expect(await fixture.rows()).toEqual(rows);
  expect(await createPostgresIdGenerator(fixture.pool).next('instance')).toEqual([(given.at(-1) ?? 0) + 1]);
});
