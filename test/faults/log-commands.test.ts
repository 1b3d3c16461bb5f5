import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandLine, commandLine, commandProgram } from '../support/command-line';
import { type RunningSystem, startRunningSystem, TIMEOUT_MS } from '../support/running-system';
import { fillWarehouse, townMapping } from '../support/sample-mappings';
import { settingsOfOwnLog } from '../support/system-event-store';

jest.setTimeout(3 * TIMEOUT_MS);

type StoredLine = Readonly<Record<string, unknown>>;

let system: RunningSystem;
let home: string;
/** Runs a command line within this process; `runProgram`: as the real program, for what reads or writes a whole log. */
let run: CommandLine;
let runProgram: CommandLine;
beforeAll(async () => {
  system = await startRunningSystem(fillWarehouse);
  home = await mkdtemp(join(tmpdir(), 'rowgraph-log-'));
  const onSystem =
    (runWords: CommandLine): CommandLine =>
    (words, options = {}) =>
      runWords(words, { ...options, environment: { ...system.environment, ...options.environment } });
  run = onSystem(commandLine(home));
  runProgram = onSystem(commandProgram(home));
});
afterAll(async () => {
  await system.close();
  await rm(home, { recursive: true });
});

describe('invalid usage', () => {
  it.each([
    [[]],
    [['--from', 'postgres']],
    [['--from', 'postgres', '--to', 'postgres']],
    [['--from', 'a', '--to', 'b']],
  ])('log copy %j exits with 2 and prints the correct usage', async (words: readonly string[]) => {
    expect(await run(['log', 'copy', ...words])).toEqual({
      code: 2,
      out: '',
      errors:
        '--from and --to are required: --from postgres --to eventstoredb, or --from eventstoredb --to postgres.\n',
    });
  });

  it('a folder without a system is reported', async () => {
    const nowhere = { environment: { ROWGRAPH_DATA_DIR: join(home, 'nowhere') } };
    expect(await run(['log', 'export', 'log.ndjson'], nowhere)).toMatchObject({
      code: 1,
      errors: `No system has run in ${join(home, 'nowhere')}. Set ROWGRAPH_DATA_DIR to its folder.\n`,
    });
  });

  it('a file that is not an exported log is reported first', async () => {
    const file = join(home, 'letter.txt');
    await writeFile(file, 'Dear Olivia,\n');
    expect((await run(['log', 'import', file])).errors).toContain(`${file} is not a log that rowgraph exported`);
  });
});

describe('log show on a running system prints', () => {
  const show = async (...words: readonly string[]): Promise<readonly StoredLine[]> => {
    const { code, out, errors } = await run(['log', 'show', ...words]);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as StoredLine);
  };

  it('the events of a stream, and each by its position', async () => {
    const { data, headers } = await system.as('ada').call('createMapping', { body: townMapping });
    await system.as('ada').call('updateMapping', {
      id: data.id,
      body: { change_description: 'without edges', edge_definitions: [] },
    });
    const stream = `mapping-${data.id}`;
    const [first, ...rest] = await show(stream);
    expect(first).toMatchObject({
      position: headers['x-event-position'],
      stream_id: stream,
      revision: 0,
      type: 'MappingCreated',
      data: { name: townMapping.name },
      metadata: { actor: 'ada' },
    });
    expect(rest.length).toBeGreaterThan(0);
    expect(await show(stream, '--from', '1')).toEqual(rest);
    for (const event of [first, ...rest]) expect(await show('--position', String(event?.position))).toEqual([event]);

    const cut = await run(['log', 'show', stream, '--limit', '1']);
    expect(JSON.parse(cut.out)).toEqual(first);
    expect(cut.errors).toBe('More events follow: continue with --from 1.\n');
  });

  it('the reason for an empty result', async () => {
    const words = async (...rest: readonly string[]) => {
      const { code, out, errors } = await run(['log', 'show', ...rest]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      return errors;
    };
    expect(await words('mapping-999')).toMatch(/^The log has no stream mapping-999\.\n/);
    expect(await words('washing-1')).toMatch(/^The log has no stream washing-1\.\nStream names are <category>-<id>/);
    expect(await words('user-ada', '--from', '9')).toMatch(/^The last revision of user-ada is \d\.\n$/);
    expect(await words('--position', '9223372036854775807')).toBe(
      'The log has no event at position 9223372036854775807.\n',
    );
  });

  it('an error for an event store that does not answer', async () => {
    const environment = {
      ROWGRAPH_EVENT_STORE: 'eventstoredb',
      ROWGRAPH_EVENT_STORE_URL: 'esdb://127.0.0.1:1?tls=false',
      ROWGRAPH_EVENT_STORE_PATIENCE: '1s',
    };
    const { code, errors } = await run(['log', 'show', 'user-ada'], { environment });
    expect(code).toBe(1);
    expect(errors).toMatch(/^The log could not be read: EventStoreDB at esdb:\/\/127\.0\.0\.1:1.*\. Are the system/);
  });

  it.each([[[]], [['user-ada', '--position', '1']], [['--position', '1', '--from', '0']]])(
    'the usage for invalid arguments: %j',
    async (words: readonly string[]) => {
      expect(await run(['log', 'show', ...words])).toMatchObject({
        code: 2,
        errors: expect.stringMatching(/^Expected a stream/) as string,
      });
    },
  );

  it.each([
    [['--position', '0'], '0 is not a position'],
    [['--position', '9223372036854775808'], '9223372036854775808 is not a position'],
    [['user-ada', '--limit', '0'], '--limit must be from 1 to 1000.'],
  ])('an error for unsupported values: %j', async (words, message) => {
    const { code, errors } = await run(['log', 'show', ...words]);
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(message) as string });
  });
});

it('a running system is not changed', async () => {
  const { code, errors } = await runProgram(['log', 'export', 'log.ndjson']);
  expect(code).toBe(1);
  expect(errors).toContain('in use by a running rowgraph');
});

it('an exported log restores the same system elsewhere', async () => {
  const ada = system.as('ada');
  await ada.call('createMapping', { body: { ...townMapping, name: 'Carried over' } });
  const before = await ada.call('listMappings', {});
  await system.stop();
  expect(await runProgram(['log', 'show', 'user-ada'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('Are the system and its event store running?') as string,
  });
  const file = join(home, 'log.ndjson');

  const exported = await runProgram(['log', 'export', file, '--json']);
  expect(exported).toMatchObject({ code: 0 });
  const { events, sha256 } = JSON.parse(exported.out) as { events: number; sha256: string };
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(events + 2);

  const elsewhere = await startRunningSystem(fillWarehouse, {}, () => Promise.resolve());
  const ownLog = settingsOfOwnLog();
  const there = { environment: { ...elsewhere.environment, ...ownLog } };
  try {
    await elsewhere.stop();
    await rm(join(elsewhere.folder, 'postgres'), { recursive: true });
    await rm(join(elsewhere.folder, 'database-url'));
    for (const written of [events, 0]) {
      const imported = await runProgram(['log', 'import', file, '--json'], there);
      expect(imported).toMatchObject({ code: 0 });
      expect(JSON.parse(imported.out)).toMatchObject({ events, written, sha256 });
    }
    await elsewhere.start(ownLog);
    expect((await elsewhere.as('ada').call('listMappings', {})).data).toEqual(before.data);

    await elsewhere.stop();
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"log_id":"[^"]*"/, '"log_id":"of-another-system"'));
    expect(await runProgram(['log', 'import', file], there)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /This system follows the log \S+, and the file contains of-another-system\. Import into a system that has never run/,
      ) as string,
    });
  } finally {
    await elsewhere.close();
  }
});
