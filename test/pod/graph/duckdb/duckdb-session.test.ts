import { tmpdir } from 'node:os';
import { type DuckdbSession, openDuckdb } from '../../../../pod/graph/duckdb/duckdb-session';

const ROWS = 1_000_000;

describe('the rows of a DuckDB session', () => {
  let session: DuckdbSession;
  beforeAll(async () => {
    session = await openDuckdb({ memoryBytes: 2 ** 28, threads: 2, scratchDirectory: tmpdir() });
  });
  afterAll(() => session.close());

  const read = async (sql: string, rowCount: number): Promise<number> => {
    let read = 0;
    for await (const chunk of session.chunks(sql, rowCount)) read += chunk.rowCount;
    return read;
  };

  it('are complete', async () => {
    expect(await read(`FROM range(${ROWS})`, ROWS)).toBe(ROWS);
    expect(await read('FROM range(0)', 0)).toBe(0);
  });

  it('end with an error if the query fails after its first rows', async () => {
    const failing = `SELECT CASE WHEN range = 300000 THEN error('broken') ELSE range END FROM range(${ROWS})`;
    await expect(read(failing, ROWS)).rejects.toThrow(/ rows were read; expected 1000000\.$/u);
  });
});
