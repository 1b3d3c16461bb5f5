import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandLine } from '../../support/command-line';

const run = commandLine('/nonexistent');

/** What bash offers for the last of these words. */
const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
  const { out: script } = await run(['completion', 'bash']);
  const line = ['rowgraph', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _rowgraph; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`]);
  return stdout.trim().split('\n');
};

test('bash completes groups, their commands, and the options behind a command', async () => {
  expect(await offered('inst')).toEqual(['instances']);
  expect(await offered('algorithms', 'st')).toEqual(['status']);
  expect(await offered('algorithms', 'run', '1', 'pagerank', '--wr')).toEqual(['--write-to']);
  expect(await offered('parked', 's')).toEqual(['show', 'skip']);
  expect(await offered('query', '--c')).toEqual(['--csv']);
});

test('zsh and fish have theirs, other shells do not', async () => {
  expect((await run(['completion', 'zsh'])).out).toContain('bashcompinit\n_rowgraph() {');
  expect((await run(['completion', 'fish'])).out).toContain(" -a 'list show run status cancel history'\n");
  expect(await run(['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' });
});
