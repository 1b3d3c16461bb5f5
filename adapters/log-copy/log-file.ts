import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type LoggedEvent } from '../../domain/kernel/canonical-event';
import { fieldErrorLines, parseJson } from '../../domain/kernel/codecs';
import { writeDurably } from '../filesystem/durable-write';
import {
  endLine,
  eventLine,
  headerLine,
  type LogDigest,
  logDigester,
  LogFileEnd,
  LogFileEvent,
  LogFileHeader,
  toLoggedEvent,
} from './log-file-format';
import { type CopyFailure, type LogPages } from './log-pages';

const PAGE = 500;

/** The id of the log that a file was exported from. */
export const readLogId = async (path: string): Promise<Either<CopyFailure, string>> => {
  try {
    for await (const line of linesOf(path)) {
      const header = decodeLine(LogFileHeader, line);
      return isLeft(header) ? left(noExport(path)) : right(header.right.log_id);
    }
    return left(noExport(path));
  } catch (error) {
    return left(unreadable(path, error));
  }
};

/** Reads a whole file first, so that events of a truncated or damaged file are not imported. */
export const verifyLogFile = async (
  path: string,
  onProgress: (events: number) => void = () => undefined,
): Promise<Either<CopyFailure, { readonly logId: string; readonly events: number }>> => {
  const logId = await readLogId(path);
  if (isLeft(logId)) return logId;
  let events = 0;
  for await (const page of pagesOfFile(path)) {
    if (isLeft(page)) return page;
    events += page.right.length;
    onProgress(events);
  }
  return right({ logId: logId.right, events });
};

/**
 * The events of an exported file. Ends with a failure if the file is not an export, is truncated, has data after its
 * end, or differs from the number and hash of events in its last line.
 */
export async function* pagesOfFile(path: string): LogPages {
  const digester = logDigester();
  let page: LoggedEvent[] = [];
  let number = 0;
  let isEnded = false;
  try {
    for await (const line of linesOf(path)) {
      number++;
      if (number === 1) {
        if (isLeft(decodeLine(LogFileHeader, line))) return yield left(noExport(path));
        continue;
      }
      if (isEnded)
        return yield left({ message: `${path} continues after its last line: line ${number}. ${EXPORT_AGAIN}` });
      if (line.startsWith('{"end":')) {
        isEnded = true;
        const difference = differenceOf(line, digester);
        if (difference !== null) return yield left({ message: `${path} ${difference} ${EXPORT_AGAIN}` });
        continue;
      }
      const event = decodeLine(LogFileEvent, line);
      if (isLeft(event)) return yield left({ message: `${path} line ${number}: ${event.left}. ${EXPORT_AGAIN}` });
      page.push(toLoggedEvent(event.right));
      digester.add(toLoggedEvent(event.right));
      if (page.length < PAGE) continue;
      yield right(page);
      page = [];
    }
  } catch (error) {
    return yield left(unreadable(path, error));
  }
  if (!isEnded) {
    return yield left({
      message: `${path} is cut off after ${digester.count()} events: its last line is missing. ${EXPORT_AGAIN}`,
    });
  }
  yield right(page);
}

const EXPORT_AGAIN = 'It cannot be imported; export the log again, or take another copy of the file.';

/** Lines end with a newline only: texts may contain other line separators. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const decodeLine = <C extends t.Mixed>(codec: C, line: string): Either<string, t.TypeOf<C>> => {
  const value = parseJson(line);
  if (value === undefined) return left('it is not JSON');
  const decoded = codec.decode(value);
  return isLeft(decoded) ? left(fieldErrorLines(decoded.left).join(', ')) : decoded;
};

const differenceOf = (line: string, digester: ReturnType<typeof logDigester>): string | null => {
  const end = decodeLine(LogFileEnd, line);
  if (isLeft(end)) return `has a last line that cannot be read: ${end.left}.`;
  const expected = end.right.end;
  const found = digester.end();
  return found.events === expected.events && found.sha256 === expected.sha256
    ? null
    : `is damaged: it has ${found.events} events with SHA-256 ${found.sha256}, and its last line has ${expected.events} with ${expected.sha256}.`;
};

const noExport = (path: string): CopyFailure => ({
  message: `${path} is not a log that rowgraph exported: expected the first line {"rowgraph_log":1,"log_id":…}.`,
});

const unreadable = (path: string, error: unknown): CopyFailure => ({
  message: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
});

/**
 * Writes a log to a file, readable by the owner only. Until it is complete, the file is named `<path>.part`. An
 * existing file is replaced only if it is an earlier export of the same log.
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
    let written: Either<CopyFailure, LogDigest>;
    try {
      written = await writeLines(file, logId, source, onProgress);
    } finally {
      await file.close();
    }
    if (isLeft(written)) await rm(partial, { force: true });
    else await writeDurably(path, (whole) => rename(partial, whole));
    return written;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
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
