import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckdb } from '../../pod/graph/duckdb/duckdb-session';
import { runInDatabase } from '../adapters/duckdb/warehouse-fixture';
import { type CommandLine, commandLine, type Ended } from '../support/command-line';
import { bySize } from '../support/proof-size';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { waitFor } from '../support/wait-for';

jest.setTimeout(3 * TIMEOUT_MS);

/** More than a JSON answer holds. */
const ROWS = bySize({ sample: 105_000, full: 250_000 });
/** Texts with everything that CSV has to quote, empty and null ones; numbers with all their digits. */
const READINGS = `SELECT i AS id, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'a "b", ' || i || chr(10) || 'é'
    ELSE 'note ' || i END AS note, i / 7 AS amount, DATE '2000-01-01' + (i % 10000)::INTEGER AS day FROM range(${ROWS}) t(i)`;

const mapping = {
  name: 'Readings',
  node_definitions: [
    {
      label: 'Reading',
      sql: 'SELECT id, note, amount, day FROM readings',
      primary_key: { name: 'id', type: 'INT64' },
      properties: [
        { name: 'note', type: 'STRING' },
        { name: 'amount', type: 'DOUBLE' },
        { name: 'day', type: 'DATE' },
      ],
    },
  ],
  edge_definitions: [],
};

const ALL = 'MATCH (r:Reading) RETURN r.id AS id, r.note AS note, r.amount AS amount, r.day AS day';
const COLUMNS = `{id: 'BIGINT', note: 'VARCHAR', amount: 'DOUBLE', day: 'DATE'}`;

let system: RunningSystem;
let folder: string;
let run: CommandLine;
const ada = (...words: readonly string[]): Promise<Ended> =>
  run(words, { environment: { ROWGRAPH_URL: system.url, ROWGRAPH_USERNAME: 'ada' } });

beforeAll(async () => {
  system = await startRunningSystem((warehouse) =>
    runInDatabase(join(warehouse, 'sensors.duckdb'), `CREATE TABLE readings AS ${READINGS}`),
  );
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-exports-'));
  run = commandLine(folder);
  await system.as('ada').call('createMapping', { body: mapping });
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true });
});

/** Queries that are answered with a warning. */
const DOUBTFUL = {
  graphdb_a: 'MATCH (r:Reading {id: 1}) RETURN r.Reeding AS missing',
  graphdb_b: 'MATCH (r:Reeding) RETURN r.id AS path',
} as const;

describe.each(['graphdb_a', 'graphdb_b'] as const)('an export of %s', (kind) => {
  beforeAll(async () => {
    const made = await ada('instances', 'create', '-m', 'Readings', '--name', kind, '--kind', kind, '--wait');
    expect(made.code).toBe(0);
  });
  afterAll(() => ada('instances', 'delete', kind, '--yes'));

  const differences = async (file: string): Promise<unknown> => {
    const session = await openDuckdb({ memoryBytes: 2 ** 29, threads: 1, scratchDirectory: folder });
    try {
      const [found] = await session.rows(
        `SELECT (SELECT count(*) FROM ${file}) AS rows, (SELECT count(*) FROM (FROM ${file} EXCEPT ALL (${READINGS}))) AS wrong`,
      );
      return found;
    } finally {
      session.close();
    }
  };

  it.each([
    ['csv', (file: string) => `read_csv('${file}', header = true, columns = ${COLUMNS}, allow_quoted_nulls = false)`],
    ['parquet', (file: string) => `read_parquet('${file}')`],
    ['ndjson', (file: string) => `read_json('${file}', format = 'newline_delimited', columns = ${COLUMNS})`],
  ])('a file of %s has the rows of SQL', async (ending, reader) => {
    const file = join(folder, `${kind}.${ending}`);
    const errors = expect.stringMatching(/^Wrote .* \(\d+ [KM]B\)\.\n$/) as string;
    expect(await ada('query', kind, ALL, '--output', file)).toEqual({ code: 0, out: '', errors });
    expect(await differences(reader(file))).toEqual({ rows: BigInt(ROWS), wrong: 0n });
  });

  it('is written to standard output as well', async () => {
    const { code, out } = await ada('query', kind, ALL, '--csv');
    expect([code, out === (await readFile(join(folder, `${kind}.csv`), 'utf8'))]).toEqual([0, true]);
  });

  it('prints its warnings on stderr like a shown answer', async () => {
    for (const format of ['--csv', '--json']) {
      expect(await ada('query', kind, DOUBTFUL[kind], format)).toMatchObject({
        code: 0,
        errors: expect.stringMatching(/Reeding/) as string,
      });
    }
  });

  // The database of graphdb_a does not have a process of its own.
  if (kind === 'graphdb_b')
    it('a killed engine leaves no file and exits with 1', async () => {
      const file = join(folder, 'broken.csv');
      const ended = ada('query', kind, 'UNWIND range(1, 1500000) AS i RETURN i', '-o', file);
      await waitFor('the CLI writes rows', async () => (await readdir(folder)).some((name) => name.includes('broken')));
      await system.kill('engine');
      expect(await ended).toEqual({
        code: 1,
        out: '',
        errors: expect.stringContaining('broken.csv was not written') as string,
      });
      expect((await readdir(folder)).filter((name) => name.includes('broken'))).toEqual([]);
      await waitFor('the engine answers again', async () => (await ada('query', kind, 'RETURN 1')).code === 0);
    });

  it('is suggested for a truncated answer, which is a failure unless only the first rows were requested', async () => {
    for (const format of [[], ['--json']]) {
      const cut = await ada('query', kind, 'MATCH (r:Reading) RETURN r.id', ...format);
      expect([cut.code, cut.errors]).toEqual([1, expect.stringContaining('The result is truncated')]);
    }
    const first = await ada('query', kind, `${ALL} ORDER BY id`, '--limit', '2', '--json');
    expect([first.code, JSON.parse(first.out)]).toEqual([
      0,
      expect.objectContaining({
        row_count: 2,
        truncated: true,
        rows: [expect.arrayContaining([0, null]), expect.anything()],
      }),
    ]);
  });
});

it('requires a format and an existing folder, and reports the file it wrote', async () => {
  expect(await ada('query', '1', ALL, '-o', 'somewhere')).toMatchObject({ code: 2 });
  expect(await ada('query', '1', ALL, '--csv', '--ndjson')).toMatchObject({ code: 2 });
  expect(await ada('query', '1', ALL, '--parquet')).toMatchObject({ code: 2 });
  expect(await ada('query', '1', ALL, '-o', join(folder, 'missing', 'all.csv'))).toEqual({
    code: 1,
    out: '',
    errors: `Cannot write ${folder}/missing/all.csv: the folder ${folder}/missing does not exist.\n`,
  });
});
