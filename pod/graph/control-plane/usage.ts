import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Resident memory of processes together, in bytes. A process that has ended counts nothing. */
export const residentBytes = async (processIds: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(processIds.map(residentBytesOf));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
};

/** Bytes of all files below a folder, links not followed. */
export const diskBytes = async (directory: string): Promise<number> => {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(({ parentPath, name }) => sizeOf(join(parentPath, name))));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
};

const residentBytesOf = async (processId: number): Promise<number> => {
  if (processId === process.pid) return process.memoryUsage.rss();
  try {
    const status = await readFile(`/proc/${processId}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};
