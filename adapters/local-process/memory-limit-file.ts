import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { type PodRuntimeError } from '../../domain/ports/pod-runtime';

/** The file in a pod's folder with its memory limit, in the form of a control group's `memory.max`. */
export const memoryLimitFile = (folder: string): string => join(folder, 'memory.max');

/** States the memory limit of a pod; its program reads the file again and again, and never sees it half-written. */
export const writeMemoryLimit = async (folder: string, bytes: number): Promise<Either<PodRuntimeError, void>> => {
  const file = memoryLimitFile(folder);
  try {
    await writeFile(`${file}.new`, `${bytes}\n`);
    await rename(`${file}.new`, file);
    return right(undefined);
  } catch (error) {
    return left({ kind: 'unavailable', reason: `its memory limit could not be written: ${String(error)}` });
  }
};
