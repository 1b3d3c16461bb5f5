import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../adapters/system/package-root';
import { TIMEOUT_MS } from './running-system';
import { waitFor } from './wait-for';

type Environment = Readonly<Record<string, string | undefined>>;

const FENCE = /^( *)```sh\n([\s\S]*?)^ *```$/gm;

/** The unchanged commands of a runbook: its `sh` blocks, of one section if one is named. */
export const commandsOf = (runbook: string, section?: string): readonly string[] => {
  const page = readFileSync(join(packageRoot, 'docs', 'operations', 'runbooks', `${runbook}.md`), 'utf8');
  const part = section === undefined ? page : page.split(/^## /m).find((one) => one.startsWith(`${section}\n`));
  if (part === undefined) throw new Error(`${runbook}.md has no section "${section}"`);
  return [...part.matchAll(FENCE)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
};

/**
 * Runs the commands of a runbook. A block that ends in `npm start` keeps running; the next one waits until the system
 * is ready.
 */
export class Operator {
  readonly #started: ChildProcess[] = [];

  constructor(
    private readonly url: string,
    private readonly environment: Environment,
  ) {}

  /** Resolves with the output of each block. Rejects when a command fails. */
  async follow(blocks: readonly string[], more: Environment = {}): Promise<readonly string[]> {
    const outputs: string[] = [];
    for (const block of blocks) {
      const options = { cwd: packageRoot, env: { ...this.environment, ...more } };
      if (block.endsWith('npm start\n')) outputs.push(await this.#start(block, options));
      else outputs.push((await promisify(execFile)('sh', ['-ec', block], options)).stdout);
    }
    return outputs;
  }

  /** Resolves when all started programs have ended. */
  async untilEnded(): Promise<void> {
    const run = this.#started.at(-1);
    await waitFor(
      'the started program has ended',
      () => run === undefined || run.exitCode !== null || run.signalCode !== null,
    );
  }

  async #start(block: string, options: { readonly cwd: string; readonly env: Environment }): Promise<string> {
    const program = spawn('sh', ['-ec', block], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    program.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    this.#started.push(program);
    const isReady = async (): Promise<boolean> =>
      program.exitCode !== null || (await fetch(`${this.url}/ready`).catch(() => null))?.status === 200;
    await waitFor('the system is ready', isReady, 2 * TIMEOUT_MS);
    if (program.exitCode !== null) throw new Error(`"${block}" ended with ${program.exitCode}:\n${output}`);
    return output;
  }
}
