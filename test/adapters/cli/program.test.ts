import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { right } from 'fp-ts/Either';
import { type ActionGroup, clientCommands, runProgram } from '../../../adapters/cli';
import { type Output } from '../../../adapters/cli/output';
import { commandLine, terminalOf } from '../../support/command-line';

const run = commandLine('/nonexistent');

/** A command that returns this output, on a terminal of 40 columns. */
const shown = async (output: Output, ...options: readonly string[]) => {
  const groups: readonly ActionGroup[] = [
    {
      name: null,
      summary: '',
      actions: [{ usage: 'show', summary: '', takesCsv: true, runLocally: () => Promise.resolve(right(output)) }],
    },
  ];
  const printed = { out: '', errors: '' };
  const terminal = { ...terminalOf(printed), width: 40 };
  const code = await runProgram(['show', ...options], { groups, version: '0', environment: {}, terminal });
  return { code, ...printed };
};
const wide: Output = { data: [], table: { columns: ['sql'], rows: [['x'.repeat(60)]] } };

test('help fits into 80 columns, and summaries and descriptions have at most 60 characters', async () => {
  const all = clientCommands.flatMap(({ name, actions }) =>
    actions.map((action) => ({ action, words: [...(name === null ? [] : [name]), action.usage.split(' ')[0] ?? ''] })),
  );
  for (const words of [
    [],
    ...clientCommands.flatMap(({ name }) => (name === null ? [] : [[name]])),
    ...all.map((one) => one.words),
  ]) {
    const { out } = await run([...words, '--help']);
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
  const texts = all.flatMap(({ action }) => [action.summary, ...(action.options ?? []).map((one) => one.description)]);
  expect(texts.filter((text) => text.length > 60)).toEqual([]);
});

test('prints control characters of data only to files and pipes', async () => {
  const name = 'a\u001b]52;c;eA==\u0007\u009bb\tc';
  const output: Output = { data: null, text: name, note: name, warnings: [name], exitCode: 1 };
  const action = { usage: 'show', summary: '', runLocally: () => Promise.resolve(right(output)) };
  for (const isTTY of [true, false]) {
    const printed = { out: '', errors: '' };
    const { out, errors, ...others } = terminalOf(printed);
    const terminal = { ...others, out: { ...out, isTTY }, errors: { ...errors, isTTY } };
    const groups = [{ name: null, summary: '', actions: [action] }];
    await runProgram(['show'], { groups, version: '0', environment: {}, terminal });
    const line = isTTY ? 'a\ufffd]52;c;eA==\ufffd\ufffdb\tc\n' : `${name}\n`;
    expect(printed).toEqual({ out: line, errors: line + line });
  }
});

test('rejects more than one output format', async () => {
  const { code, out, errors } = await shown(wide, '--json', '--csv');
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(JSON.parse(errors)).toEqual({ error: { code: 'WRONG_USAGE', message: 'Choose one of --json and --csv.' } });
});

test('prints errors as JSON with --json, including usage errors', async () => {
  for (const words of [['mapings'], ['instances', 'list', '--limit', 'many'], ['config', 'get', 'colour']]) {
    const environment = { ROWGRAPH_URL: 'http://127.0.0.1:1', ROWGRAPH_USERNAME: 'ada' };
    const { code, errors } = await run([...words, '--json'], { environment });
    expect(code).toBe(2);
    expect(JSON.parse(errors)).toMatchObject({ error: { code: 'WRONG_USAGE' } });
  }
  const { code, errors } = await run(['whoami', '--json'], {
    environment: { ROWGRAPH_URL: 'http://127.0.0.1:1', ROWGRAPH_USERNAME: 'ada' },
  });
  expect(code).toBe(3);
  expect(JSON.parse(errors)).toMatchObject({ error: { code: 'UNREACHABLE' } });
});

test('rejects, before any request, what it would otherwise ignore or read as something else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cli-input-'));
  const latin1 = join(folder, 'latin1.cypher');
  writeFileSync(latin1, Buffer.from("RETURN 'M\u00fcller'", 'latin1'));
  const environment = { ROWGRAPH_URL: 'http://127.0.0.1:1', ROWGRAPH_USERNAME: 'ada' };
  const notUtf8 = (name: string) =>
    `${name} is not UTF-8 text; save it as UTF-8 (iconv -f WINDOWS-1252 or UTF-16 -t UTF-8).`;
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['query', '1', 'RETURN 1', '-f', latin1], 'Write the query, or use -f <file>, not both.'],
    [['sql', 'validate', 'SELECT 1', '-f', latin1], 'Write the query, or use -f <file>, not both.'],
    [['query', '1', '-f', latin1], notUtf8(latin1)],
    [['query', '1', '-f', '-'], notUtf8('The standard input')],
    [['mappings', 'create', '-f', latin1], notUtf8(latin1)],
    [
      ['query', '1', 'RETURN $x', '-p', 'x=["a"'],
      `The parameter x is neither JSON nor a plain text: ["a"; write a text that begins with [, { or " as JSON: -p 'x="[\\"a\\""'.`,
    ],
    [
      ['query', '1', 'RETURN 1', '--csv', '--output', 'rows.parquet'],
      'rows.parquet is the name of a file of --parquet, not of --csv.',
    ],
    [['instances', 'cpu', '1', 'two'], 'cores must be an integer, not "two".'],
    [['instances', 'share', '1', 'owner', '--users', 'bob'], '--users needs the access users, not owner.'],
    [
      ['catalog', 'browse', 'bank.main.account.kind'],
      'bank.main.account.kind has more than three parts; write catalog.schema.table, each in "…" if it has a dot.',
    ],
    [['time-machine', '--port', '0'], '--as-of is required.'],
    [['time-machine', '--as-of', '2026-01-31T12:00:00Z'], '--port is required.'],
    [['login', '--username', 'ada', '--key', 'x'], 'Use one of --key, --token and --username.'],
  ];
  for (const [words, message] of refusals) {
    const { errors, out } = await run(words, { environment, input: readFileSync(latin1) });
    expect([words, errors.split('\n')[0], out]).toEqual([words, message, '']);
  }
  rmSync(folder, { recursive: true });
});

test('help of a command at any depth is that of --help, and of an unknown one a suggestion', async () => {
  const wanted = await run(['instances', 'create', '--help']);
  expect(await run(['help', 'instances', 'create'])).toEqual(wanted);
  expect(await run(['instances', 'help', 'create'])).toEqual(wanted);
  expect(await run(['help'])).toEqual(await run(['--help']));
  for (const [words, meant] of [
    [['help', 'audt'], 'audit'],
    [['help', 'instances', 'crete'], 'create'],
    [['instances', 'help', 'crete'], 'create'],
  ] as const) {
    const { code, out, errors } = await run(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toContain(`Did you mean ${meant}?`);
  }
});

test('cuts tables to the width of the terminal with a note, or prints them in full', async () => {
  const cut = await shown(wide);
  expect(cut.out).toContain(`${'x'.repeat(39)}…\n`);
  expect(cut.errors).toBe('Some cells are cut; --wide prints them whole.\n');
  const { out, errors } = await shown(wide, '--wide');
  expect(out).toContain('x'.repeat(60));
  expect(errors).toBe('');
});

test('prints a plan, a single cell of several lines, unchanged', async () => {
  const plan = '┌────┐\n│SCAN│\n└────┘\n';
  const { out } = await shown({ data: {}, table: { columns: ['explain result'], rows: [[plan]] } });
  expect(out).toBe(plan);
});
