import { createDatabaseClock } from '../../../adapters/postgres/database-clock';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase } from '../../support/postgres';

it('a clock that differs from that of the database is replaced by it, and five seconds are logged', async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString, max: 1 });
  try {
    const lines: string[] = [];
    let localMs = 0;
    const log = { warn: (line: string) => void lines.push(line), info: (line: string) => void lines.push(line) };
    const clock = createDatabaseClock(pool, log, () => localMs);
    /** With a local clock that stands still, so that only the answer of the database takes time. */
    const differenceAt = async (ahead: number): Promise<number> => {
      const startedAt = Date.now();
      localMs = startedAt + ahead;
      await clock.measure();
      return clock.now().getTime() - startedAt;
    };
    expect([await differenceAt(0), await differenceAt(900)]).toEqual([0, 900]);
    for (const ahead of [4_000, -600_000, 600_000]) expect(Math.abs(await differenceAt(ahead))).toBeLessThan(1_000);
    await differenceAt(0);
    expect(lines).toEqual([
      'the clock of this machine is 600 s behind that of the database, which is used instead; correct it, for example by NTP',
      'the clock of this machine agrees with that of the database again',
    ]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
