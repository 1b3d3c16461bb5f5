import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { proportionalBytes } from '../../../adapters/system/process-table';
import { waitFor } from '../../support/wait-for';

const MIB = 2 ** 20;

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

const startIdleProgram = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("up")']);
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid!;
};

const ownCount = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

test('shared pages count once, and an ended process counts zero', async () => {
  const pids = [await startIdleProgram(), await startIdleProgram()];
  const together = await proportionalBytes(pids);
  const eachForItself = (await ownCount(pids[0]!)) + (await ownCount(pids[1]!));
  expect(together).toBeGreaterThan(2 * MIB);
  expect(together).toBeLessThan(eachForItself - 10 * MIB);
  children[0]?.kill('SIGKILL');
  await waitFor('the killed process occupies no memory', async () => (await proportionalBytes([pids[0]!])) === 0);
});
