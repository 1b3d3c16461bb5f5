import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BenchDatabase } from './bench-database';
import { type Figure, rounded } from './figure';
import { postgresPidOf, processorMsOfEnded, processorMsOfTree } from './processor-time';

const PROGRAM = join(__dirname, '../adapters/maintenance/cli.js');
const SAMPLE_EVERY_MS = 100;

/** What a program of `rowgraph` took. */
export interface ProgramRun {
  readonly printed: string;
  readonly seconds: number;
  /** Processor time of the program and of PostgreSQL meanwhile. */
  readonly processorMs: number;
  readonly databaseMs: number;
  /** The peak of its resident memory. */
  readonly megabytes: number;
}

/** Starts a program of `rowgraph` on the database of a bench. */
export const startProgram = ({ connectionString, folder }: BenchDatabase, command: readonly string[]) =>
  spawn(process.execPath, [PROGRAM, ...command], {
    env: { ROWGRAPH_DATABASE_URL: connectionString, ROWGRAPH_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/**
 * Runs a program to its end, or until it prints the first text: then it gets SIGINT. The seconds are until then. Throws
 * if it fails.
 */
export const runProgram = async (
  database: BenchDatabase,
  command: readonly string[],
  until: 'its end' | 'it prints' = 'its end',
): Promise<ProgramRun> => {
  const postgres = postgresPidOf(database.folder);
  const [processorBefore, databaseBefore] = [processorMsOfEnded(), processorMsOfTree(postgres)];
  const begunAt = performance.now();
  const program = startProgram(database, command);
  let megabytes = 0;
  const sampling = setInterval(() => (megabytes = peakOf(program.pid) ?? megabytes), SAMPLE_EVERY_MS);
  const [printing, exit] = [text(program.stdout), once(program, 'exit')];
  if (until === 'it prints') await Promise.race([once(program.stdout, 'data'), exit]);
  else await exit;
  const seconds = (performance.now() - begunAt) / 1000;
  const databaseMs = processorMsOfTree(postgres) - databaseBefore;
  program.kill('SIGINT');
  await exit;
  clearInterval(sampling);
  if (program.exitCode !== 0) throw new Error(`rowgraph ${command.join(' ')} exited with ${program.exitCode}.`);
  const processorMs = processorMsOfEnded() - processorBefore;
  return { printed: await printing, seconds, processorMs, databaseMs, megabytes };
};

/** The peak of the resident memory of a process in MB; null when it has ended. Linux only. */
const peakOf = (pid = 0): number | null => {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1000);
  } catch {
    return null;
  }
};

/** The processor times of a run over so many events. */
export const processorFigures = (what: string, run: ProgramRun, events: number): readonly Figure[] => {
  const perMillion = (ms: number): number => rounded((1000 * ms) / events);
  return [
    {
      what: `${what}, processor time of its process`,
      value: perMillion(run.processorMs),
      unit: 's per million events',
    },
    { what: `${what}, processor time of PostgreSQL`, value: perMillion(run.databaseMs), unit: 's per million events' },
  ];
};
