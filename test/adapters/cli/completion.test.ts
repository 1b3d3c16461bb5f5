import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandLine } from '../../support/command-line';

const run = commandLine('/nonexistent');

/** The completion candidates for the last of these words. */
const offered = async (...words: readonly string[]): Promise<readonly string[]> =>
  (await run(['complete', '--', ...words])).out.split('\n').slice(0, -1);

test('completes groups, commands and options', async () => {
  expect(await offered('inst')).toEqual(['instances']);
  expect(await offered('comp')).toEqual(['completion']);
  expect(await offered('algorithms', 'st')).toEqual(['status']);
  expect(await offered('algorithms', 'run', '1', 'pagerank', '--wr')).toEqual(['--write-to']);
  expect(await offered('parked', 's')).toEqual(['show', 'skip']);
  expect(await offered('query', '--c')).toEqual(['--csv']);
});

test('completes values of options and arguments', async () => {
  expect(await offered('instances', 'create', '--kind', '')).toEqual(['graphdb_a', 'graphdb_b', 'duckdb', 'falkordb']);
  expect(await offered('users', 'role', 'ada', '')).toEqual(['analyst', 'admin', 'ops']);
  expect(await offered('instances', 'share', '--users', 'ada', '1', 'o')).toEqual(['owner']);
  expect(await offered('config', 'get', 'm')).toEqual(['maintenance']);
  expect(await offered('jobs', 'trigger', 'sch')).toEqual(['schema_cache']);
});

test('returns no candidates for files and unknown commands, so that the shell completes file names', async () => {
  expect(await run(['complete', '--', 'mappings', 'create', '-f', ''])).toMatchObject({ code: 1, out: '' });
  expect(await run(['complete', '--', 'nothing', ''])).toMatchObject({ code: 1, out: '' });
});

test('the bash function passes the words of the command line', async () => {
  const { out: script } = await run(['completion', 'bash']);
  const line = `rowgraph() { printf '%s\\n' "$@"; }; COMP_WORDS=(rowgraph query 'Mon ey'); COMP_CWORD=2`;
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    `${script}\n${line}; _rowgraph; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  expect(stdout.trim().split('\n')).toEqual(['complete', '--', 'query', 'Mon ey']);
});

test('returns scripts for zsh and fish, and rejects other shells', async () => {
  expect((await run(['completion', 'zsh'])).out).toContain('bashcompinit\n_rowgraph() {');
  expect((await run(['completion', 'fish'])).out).toContain('complete -c rowgraph ');
  expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' });
});
