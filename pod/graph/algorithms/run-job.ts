import { fork } from 'node:child_process';
import { childProgram } from '../child-program';
import { type AlgorithmJob, type AlgorithmOutcome } from './algorithm-job';

/** A run in a process of its own: its memory is free again afterwards, and ending it is cancelling it. */
export interface RunningJob {
  readonly pid: number;
  readonly outcome: Promise<AlgorithmOutcome>;
  readonly kill: () => void;
}

export const runJob = (job: AlgorithmJob): RunningJob => {
  const child = fork(childProgram('algorithms/algorithm-main'), {
    serialization: 'advanced',
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
    execArgv: [],
  });
  const outcome = new Promise<AlgorithmOutcome>((resolve) => {
    child.on('message', (message: AlgorithmOutcome) => resolve(message));
    child.on('error', (error) => resolve({ ok: false, reason: error.message }));
    child.on('exit', (code, signal) => {
      resolve({
        ok: false,
        reason: `The process of the algorithm ended early (${signal ?? `exit code ${code ?? 0}`}).`,
      });
    });
  });
  child.send(job);
  return { pid: child.pid ?? 0, outcome, kill: () => void child.kill('SIGKILL') };
};
