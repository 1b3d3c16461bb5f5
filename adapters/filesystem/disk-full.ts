import { isErrno } from './durable-write';
import { freeBytes } from './free-bytes';

/** DuckDB's message begins with its type, or is JSON; other types may contain the text of a user. */
const BY_DUCKDB =
  /^(?:(?:IO|FATAL|TransactionContext) Error: |.*"exception_type":"(?:IO|FATAL|TransactionContext)").*(?:No space left on device|Disk quota exceeded|Could not write to file .* attempted to write 0 bytes)/s;

/** Whether a failure, of Node or of DuckDB or its message, is that a disk, or a quota on it, is full. */
export const isDiskFull = (failure: unknown): boolean =>
  isErrno(failure, 'ENOSPC', 'EDQUOT') || BY_DUCKDB.test(messageOf(failure));

const messageOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && 'message' in failure ? String(failure.message) : String(failure);

/** The message to a user about the full disk of a folder. */
export const describeFullDisk = async (folder: string): Promise<string> => {
  const free = await freeBytes(folder);
  const space = free === null ? 'an unknown number of bytes' : `${free} bytes`;
  return `no space left on device (ENOSPC), or a quota is used up: ${folder} has ${space} free. An operator must free space there (runbook "Full disk"); then create the instance again.`;
};
