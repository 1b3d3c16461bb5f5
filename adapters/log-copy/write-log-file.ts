import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { writeDurably } from '../filesystem/durable-write';
import { endLine, eventLine, headerLine } from './log-file-format';
import { type CopyFailure, type LogPages } from './log-pages';
import { type LogDigest, logDigester } from './logged-event';
import { readLogId } from './read-log-file';

/**
 * Writes a log to a file, readable by the owner only. The file is there when it is whole; until then it is beside it
 * as `<path>.part`. A file that is there is replaced if it is an earlier export of the same log.
 */
export const writeLogFile = async (
  path: string,
  logId: string,
  source: LogPages,
  onProgress: (events: number) => void = () => undefined,
): Promise<Either<CopyFailure, LogDigest>> => {
  if (existsSync(path)) {
    const present = await readLogId(path);
    if (isLeft(present) || present.right !== logId) {
      return left({ message: `${path} exists and is not an export of this log. Remove it, or name another file.` });
    }
  }
  const partial = `${path}.part`;
  try {
    const file = await open(partial, 'w', 0o600);
    const written = await writeLines(file, logId, source, onProgress).finally(() => file.close());
    if (isLeft(written)) await rm(partial, { force: true });
    else await writeDurably(path, (whole) => rename(partial, whole));
    return written;
  } catch (error) {
    return left({ message: `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}` });
  }
};

const writeLines = async (
  file: FileHandle,
  logId: string,
  source: LogPages,
  onProgress: (events: number) => void,
): Promise<Either<CopyFailure, LogDigest>> => {
  const digester = logDigester();
  await file.writeFile(`${headerLine(logId)}\n`);
  for await (const page of source) {
    if (isLeft(page)) return page;
    let lines = '';
    for (const event of page.right) {
      digester.add(event);
      lines += `${eventLine(event)}\n`;
    }
    await file.writeFile(lines);
    onProgress(digester.count());
  }
  const end = digester.end();
  await file.writeFile(`${endLine(end)}\n`);
  return right(end);
};
