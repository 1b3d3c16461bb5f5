import { isLeft } from 'fp-ts/Either';
import { type ProgramLaunch, startProgram } from '../../../adapters/local-process/start-program';
import { type LaunchedProcess } from '../../../adapters/system/launch-process';
import { readProcessTable, treeOf } from '../../../adapters/system/process-table';
import { waitFor } from '../../support/wait-for';
import { lives, STAND_IN_POD } from './stand-in-pods';

const started: LaunchedProcess[] = [];
afterEach(() => Promise.all(started.splice(0).map((program) => program.kill())));

/** Starts the stand-in and waits until it listens. */
const start = async (
  change: Partial<ProgramLaunch> = {},
): Promise<{
  readonly program: LaunchedProcess;
  readonly lines: string[];
  readonly ask: (path: string) => Promise<unknown>;
}> => {
  const lines: string[] = [];
  let port: number | undefined;
  const program = startProgram({
    programPath: STAND_IN_POD,
    environment: {},
    onLine: (line, stream) => lines.push(`${stream}: ${line}`),
    onMessage: (message) => (port = (message as { readonly port: number }).port),
    ...change,
  });
  if (isLeft(program)) throw new Error(program.left.reason);
  started.push(program.right);
  await waitFor('the program listens', () => port !== undefined);
  const ask = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${String(port)}${path}`)).json();
  return { program: program.right, lines, ask };
};
const startGrandchild = async (ask: (path: string) => Promise<unknown>, query = ''): Promise<number> => {
  const { pid } = (await ask(`/grandchild${query}`)) as { readonly pid: number };
  expect(lives(pid)).toBe(true);
  return pid;
};

describe('a child program', () => {
  it('receives its own environment and no variables of the parent', async () => {
    process.env['ROWGRAPH_SECRET_OF_OURS'] = 'x';
    process.env['NODE_OPTIONS'] = '--no-warnings';
    const { ask } = await start({ environment: { MINE: 'yes' } });
    const { environment } = (await ask('/')) as { readonly environment: Record<string, string> };

    expect(environment).toMatchObject({ MINE: 'yes', PATH: process.env['PATH'] });
    const known = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_EXTRA_CA_CERTS', 'MINE', 'PWD', 'SHLVL', '_', 'OLDPWD'];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    delete process.env['ROWGRAPH_SECRET_OF_OURS'];
    delete process.env['NODE_OPTIONS'];
  });

  it('has its output reported line by line, including the last lines', async () => {
    const { program, lines, ask } = await start();
    await ask('/write?to=stdout&line=one');
    await ask('/write?to=stderr&line=two%0Athree');
    await program.stop(5_000);

    expect([...lines].sort()).toEqual(['stderr: three', 'stderr: two', 'stdout: one']);
  });

  it('ends on SIGTERM, and its exit is reported', async () => {
    const { program } = await start();

    expect(await program.stop(10_000)).toBe(true);
    expect(await program.terminated).toEqual({ code: null, signal: 'SIGTERM' });
    expect(program.send('x')).toBe(false);
  });

  it('is killed with its process tree when it ignores SIGTERM longer than the grace period', async () => {
    const { program, ask } = await start({ environment: { STAND_IN: 'ignores-sigterm' } });
    const family = [program.pid, await startGrandchild(ask), await startGrandchild(ask, '?detached=true')];

    expect(await program.stop(100)).toBe(true);
    expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(family.filter(lives)).toEqual([]);
  });

  it('exits when its channel is closed, and is killed when it does not', async () => {
    const ending = await start();
    await ending.program.disconnect(10_000);
    expect(await ending.program.terminated).toEqual({ code: 0, signal: null });

    const ignoring = await start({ environment: { STAND_IN: 'ignores-hang-up' } });
    await ignoring.program.disconnect(100);
    expect(await ignoring.program.terminated).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('leaves no grandchild process when it is killed externally', async () => {
    const { program, ask } = await start();
    const grandchild = await startGrandchild(ask);
    process.kill(program.pid, 'SIGKILL');

    expect(await program.terminated).toEqual({ code: null, signal: 'SIGKILL' });
    expect(lives(grandchild)).toBe(false);
    expect(treeOf(readProcessTable(), program.pid)).toEqual([]);
  });

  it('is rejected with a reason when its working directory does not exist', () => {
    const program = startProgram({
      programPath: STAND_IN_POD,
      environment: {},
      workingDirectory: '/nowhere/at/all',
      onLine: () => undefined,
    });

    expect(program).toMatchObject({ left: { reason: expect.stringContaining('/nowhere/at/all') as unknown } });
  });

  it('is rejected with a reason when its environment is invalid', () => {
    const program = startProgram({ programPath: STAND_IN_POD, environment: { A: '\0' }, onLine: () => undefined });

    expect(program).toMatchObject({ left: { reason: expect.stringContaining('could not be started') as unknown } });
  });
});
