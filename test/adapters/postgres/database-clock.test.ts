import { createDatabaseClock } from '../../../adapters/postgres/database-clock';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase } from '../../support/postgres';

it('a clock that differs from that of the database is replaced by it, and five seconds are logged', async () => {
  const database = await createTestDatabase();
  const pool = createTestPool({ connectionString: database.connectionString, max: 1 });
  try {
    const lines: string[] = [];
    let aheadMs = 0;
    const log = { warn: (line: string) => void lines.push(line), info: (line: string) => void lines.push(line) };
    const clock = createDatabaseClock(pool, log, () => Date.now() + aheadMs);
    const differenceAt = async (ahead: number): Promise<number> => {
      aheadMs = ahead;
      await clock.measure();
      return clock.now().getTime() - Date.now();
    };
    expect(Math.abs(await differenceAt(0))).toBeLessThan(5);
    expect(Math.abs((await differenceAt(900)) - 900)).toBeLessThan(100);
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
