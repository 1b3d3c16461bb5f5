import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { exitText, launchProcess } from '../../../adapters/system/launch-process';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { waitFor } from '../../support/wait-for';
import { lives } from '../local-process/stand-in-pods';

const LAUNCHER = join(__dirname, '../../../dist/adapters/system/launch-process.js');

/** A program that launches a process with a child of its own, and prints both process ids. */
const owner = (signalAtOwnerEnd: 'KILL' | 'INT', trap: string): string => `
  const { launchProcess } = require(${JSON.stringify(LAUNCHER)});
  launchProcess({
    command: ['sh', '-c', ${JSON.stringify(`${trap} sleep 600 & echo $$ $!; wait $!`)}],
    environment: {},
    signalAtOwnerEnd: ${JSON.stringify(signalAtOwnerEnd)},
    onLine: (line) => console.log(line),
  });`;

/** Starts an owner and returns it with its descendant processes. */
const startOwner = async (program: string) => {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return { child, family: line.split(' ').map(Number) };
};

describe('a launched process', () => {
  it.each(['KILL', 'INT'] as const)('ends after its owner was killed, by SIG%s', async (signal) => {
    const { child, family } = await startOwner(
      owner(signal, signal === 'KILL' ? "trap '' INT TERM;" : "trap 'kill $!; exit' INT;"),
    );
    expect(family.filter(lives)).toEqual(family);
    child.kill('SIGKILL');
    await waitFor('the process and all its descendants have ended', () => family.every((pid) => !lives(pid)));
  });

  it('receives PATH and its own variables, no others', async () => {
    const lines: string[] = [];
    const launched = expectRight(
      launchProcess({ command: ['env'], environment: { MINE: 'yes' }, onLine: (line) => lines.push(line) }),
    );
    expect(exitText(await launched.terminated)).toBe('exit code 0');
    const names = lines
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name));
    expect(names.sort()).toEqual(['MINE', 'PATH']);
  });

  it('keeps the last lines of its error output', async () => {
    const command = ['sh', '-c', 'for i in $(seq 30); do echo $i >&2; done; kill -9 $$'];
    const launched = expectRight(launchProcess({ command, environment: {}, onLine: () => undefined }));
    expect(exitText(await launched.terminated)).toBe('signal SIGKILL');
    expect(launched.lastErrorLines()).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 11)));
    expect(await launched.kill()).toBe(true);
  });

  it('is rejected with a reason when the operating system cannot start it', () => {
    const refused = launchProcess({ command: ['true'], environment: {}, workingDirectory: '/nowhere/at/all' });
    expect(expectLeft(refused).reason).toBe('true could not be started in /nowhere/at/all');
  });
});
