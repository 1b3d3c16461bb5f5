import { rm, symlink, writeFile } from 'node:fs/promises';

/** A link at which every write fails because the device is full, for root as for any user. */
export const fullFile = async (path: string): Promise<string> => {
  await rm(path, { force: true });
  await symlink('/dev/full', path);
  return path;
};

/** The error of a write to a full device. */
export const diskFullError = (): Promise<Error> =>
  writeFile('/dev/full', 'x').then(
    () => Promise.reject(new Error('the write succeeded')),
    (error: unknown) => error as Error,
  );
