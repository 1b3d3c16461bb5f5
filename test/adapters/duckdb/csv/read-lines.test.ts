import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type CsvDialect, type CsvFile } from '../../../../adapters/duckdb/csv/csv-layout';
import { readLines, tornLine } from '../../../../adapters/duckdb/csv/read-lines';

const DIALECT: CsvDialect = { delimiter: ',', quote: '"', hasHeader: true, nullText: '' };

it('a file that loses lines while they are looked through is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-lines-'));
  const path = join(folder, 't.csv');
  const file: CsvFile = { path, parts: [path], compression: 'none' };
  const instance = await DuckDBInstance.create(':memory:', { errors_as_json: 'true' });
  const connection = await instance.connect();
  try {
    await writeFile(path, 'a,b\n\n1,"x ""y"" z"\n2,"x" "y"\n');
    const { lineCount } = await readLines(connection, file, '"');
    expect([lineCount, await tornLine(connection, file, DIALECT, lineCount)]).toEqual([4, '2,"x" "y"']);

    await writeFile(path, 'a,b\n\n1,"x ""y"" z"\n');
    await expect(tornLine(connection, file, DIALECT, lineCount)).rejects.toThrow('only 3 of its 4 lines were read');
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  }
});
