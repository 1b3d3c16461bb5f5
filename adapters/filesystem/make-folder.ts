import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { type StartFailure } from '../system/shutdown-steps';
import { isErrno } from './durable-write';

/**
 * Creates a folder and the missing ones above it, and returns the outermost new one. Unlike `mkdirSync` with
 * `recursive`, it ends below a folder that cannot contain others, such as /proc. Throws an error of the file system.
 */
export const makeFolder = (directory: string, mode?: number): string | undefined => {
  const missing: string[] = [];
  for (let folder = resolve(directory); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, mode);
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
    }
  }
  if (!statSync(directory).isDirectory()) throw new Error('it is not a folder');
  return missing[0];
};

/** Creates the folder of a setting before anything uses it; a new one is a warning. */
export const prepareFolder = (
  setting: string,
  directory: string,
  warn: (message: string) => void,
): Either<StartFailure, void> => {
  try {
    if (makeFolder(directory) !== undefined)
      warn(
        `The folder ${directory} of ${setting} did not exist and was created. Correct the setting, or mount the folder, if files should be there.`,
      );
    return right(undefined);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return left({ message: `The folder ${directory} cannot be used: ${reason}. Set ${setting} to another folder.` });
  }
};
