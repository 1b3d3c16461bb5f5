import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../../adapters/system/package-root';

export const CHART = join(packageRoot, 'deploy/helm/rowgraph');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the PATH against the cluster of the environment. */
export const run = (program: 'helm' | 'kubectl', args: readonly string[], input = ''): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe' });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
    child.stdin.on('error', () => undefined).end(input);
  });

/** The output of a command that must succeed. */
export const output = async (program: 'helm' | 'kubectl', args: readonly string[], input = ''): Promise<string> => {
  const { code, stdout, stderr } = await run(program, args, input);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}: ${stderr}${stdout}`);
  return stdout;
};
