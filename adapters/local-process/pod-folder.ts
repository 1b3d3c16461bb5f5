import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseJson } from '../../domain/kernel/codecs';
import { type PodRuntimeError, type PodSize } from '../../domain/ports/pod-runtime';
import { killTree, processIdentity } from '../system/process-table';

const PidFile = t.type({ pid: t.number, startTime: t.string });
const PID_FILE = 'pod.pid';

/** Creates an empty folder for a pod, accessible to this user only. */
export const createPodFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
};

/**
 * Records the process of the folder, for cleanup after this process is killed. The folder's name is among the program's
 * arguments.
 */
export const writePidFile = async (folder: string, pid: number): Promise<void> => {
  await writeFile(join(folder, PID_FILE), JSON.stringify({ pid, startTime: processIdentity(pid)?.startTime }));
};

/**
 * Ends the pods that an earlier process left in a directory and removes their folders. Call it only as the owner of the
 * directory. A process with the reused number of a former pod is not killed.
 */
export const removeLeftoverPods = async (directory: string): Promise<{ readonly killed: number }> => {
  let killed = 0;
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith('instance-'))) {
    const pid = await livingPod(directory, name);
    if (pid !== null && !(await killTree(pid))) continue;
    if (pid !== null) killed++;
    await rm(join(directory, name), { recursive: true, force: true });
  }
  return { killed };
};

const livingPod = async (directory: string, name: string): Promise<number | null> => {
  const pidFile = PidFile.decode(parseJson(await readFile(join(directory, name, PID_FILE), 'utf8').catch(() => '')));
  if (isLeft(pidFile)) return null;
  const { pid, startTime } = pidFile.right;
  const found = processIdentity(pid);
  return found?.startTime === startTime && found.command.includes(name) ? pid : null;
};

/** The file in a pod's folder with its memory limit, in the form of a control group's `memory.max`. */
export const memoryLimitFile = (folder: string): string => join(folder, 'memory.max');

const CPU_PERIOD_US = 100_000;

/** Writes the limits of a pod, in the form of a control group; its program reads the files again and again. */
export const writeLimits = async (
  folder: string,
  { memoryBytes, cpuCores }: PodSize,
): Promise<Either<PodRuntimeError, void>> => {
  try {
    await replaceFile(memoryLimitFile(folder), `${memoryBytes}\n`);
    await replaceFile(join(folder, 'cpu.max'), `${cpuCores * CPU_PERIOD_US} ${CPU_PERIOD_US}\n`);
    return right(undefined);
  } catch (error) {
    return left({ kind: 'unavailable', reason: `its limits could not be written: ${String(error)}` });
  }
};

const replaceFile = async (file: string, text: string): Promise<void> => {
  // A name of its own: the command and the process of an instance write at the same time.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, file);
};
