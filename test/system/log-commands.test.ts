import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandLine, commandProgram } from '../support/command-line';
import { PATIENCE_MS, type RunningSystem, startRunningSystem } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';

jest.setTimeout(3 * PATIENCE_MS);

let system: RunningSystem;
let home: string;
let run: CommandLine;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
  home = await mkdtemp(join(tmpdir(), 'rowgraph-log-'));
  const program = commandProgram(home);
  run = (words, options = {}) =>
    program(words, { ...options, environment: { ROWGRAPH_DATA_DIR: system.folder, ...options.environment } });
});
afterAll(async () => {
  await system.close();
  await rm(home, { recursive: true });
});

describe('wrong usage', () => {
  it.each([
    [[]],
    [['--from', 'postgres']],
    [['--from', 'postgres', '--to', 'postgres']],
    [['--from', 'a', '--to', 'b']],
  ])('log copy %j ends with 2 and says what to write', async (words: readonly string[]) => {
    expect(await run(['log', 'copy', ...words])).toEqual({
      code: 2,
      out: '',
      errors: 'Say between which stores: --from postgres --to eventstoredb, or --from eventstoredb --to postgres.\n',
    });
  });

  it('a folder where no system has run is told', async () => {
    const nowhere = { environment: { ROWGRAPH_DATA_DIR: join(home, 'nowhere') } };
    expect(await run(['log', 'export', 'log.ndjson'], nowhere)).toMatchObject({
      code: 1,
      errors: `No system has run in ${join(home, 'nowhere')}. Set ROWGRAPH_DATA_DIR to its folder.\n`,
    });
  });

  it('what is no file of a log is told before anything else', async () => {
    const file = join(home, 'letter.txt');
    await writeFile(file, 'Dear Olivia,\n');
    expect((await run(['log', 'import', file])).errors).toContain(`${file} is no log that rowgraph exported`);
  });
});

it('a running system is left alone', async () => {
  const { code, errors } = await run(['log', 'export', 'log.ndjson']);
  expect(code).toBe(1);
  expect(errors).toContain('is in use by a running rowgraph (process');
});

it('a log that was exported makes the same system elsewhere', async () => {
  const ada = system.as('ada');
  await ada.call('createMapping', { body: { ...townMapping, name: 'Carried over' } });
  const before = await ada.call('listMappings', {});
  await system.stop();
  const file = join(home, 'log.ndjson');

  const exported = await run(['log', 'export', file, '--json']);
  expect(exported).toMatchObject({ code: 0 });
  const { events, sha256 } = JSON.parse(exported.out) as { events: number; sha256: string };
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(events + 2);

  const elsewhere = await startRunningSystem(fillWarehouse, {}, () => Promise.resolve());
  const there = { environment: { ROWGRAPH_DATA_DIR: elsewhere.folder } };
  try {
    await elsewhere.stop();
    await rm(join(elsewhere.folder, 'postgres'), { recursive: true });
    await rm(join(elsewhere.folder, 'database-url'));
    for (const written of [events, 0]) {
      const imported = await run(['log', 'import', file, '--json'], there);
      expect(imported).toMatchObject({ code: 0 });
      expect(JSON.parse(imported.out)).toMatchObject({ events, written, sha256 });
    }
    await elsewhere.start();
    expect((await elsewhere.as('ada').call('listMappings', {})).data).toEqual(before.data);

    await elsewhere.stop();
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"log_id":"[^"]*"/, '"log_id":"of-another-system"'));
    expect(await run(['log', 'import', file], there)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /This system follows the log \S+, and the file holds of-another-system\. Import into a system that has never run/,
      ) as string,
    });
  } finally {
    await elsewhere.close();
  }
});
