import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { right } from 'fp-ts/Either';
import { parquetRowCounts } from '../../../adapters/duckdb/parquet-row-counts';
import { writeParquet } from './warehouse-fixture';

describe('the row counts of Parquet files', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'rowgraph-counts-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('come from the footers, in the order of the files', async () => {
    const [many, none] = [join(folder, "it's many.parquet"), join(folder, 'none.parquet')];
    await writeParquet(join(folder, 'many.parquet'), 'SELECT * FROM range(200000)');
    await writeParquet(none, 'SELECT 1 AS id WHERE false');
    await rename(join(folder, 'many.parquet'), many);

    expect(await parquetRowCounts([none, many])).toEqual(right([0, 200_000]));
    expect(await parquetRowCounts([])).toEqual(right([]));
  });

  it('are refused for a file that is missing or damaged, never taken for zero', async () => {
    await writeFile(join(folder, 'damaged.parquet'), 'PAR1');
    expect(await parquetRowCounts([join(folder, 'damaged.parquet')])).toMatchObject({ _tag: 'Left' });
    expect(await parquetRowCounts([join(folder, 'missing.parquet')])).toMatchObject({ _tag: 'Left' });
  });
});
