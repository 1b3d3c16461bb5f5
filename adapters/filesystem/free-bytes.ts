import { statfs } from 'node:fs/promises';

/** The bytes that an ordinary user may still write below a folder; null if unknown. */
export const freeBytes = async (folder: string): Promise<number | null> => {
  const disk = await statfs(folder).catch(() => null);
  // Some network file systems report no sizes.
  return disk === null || disk.blocks === 0 ? null : disk.bavail * disk.bsize;
};
