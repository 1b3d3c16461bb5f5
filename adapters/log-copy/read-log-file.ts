import { createReadStream } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { fieldErrorLines, parseJson } from '../../domain/kernel/codecs';
import { LogFileEnd, LogFileEvent, LogFileHeader, toLoggedEvent } from './log-file-format';
import { type CopyFailure, type LogPages } from './log-pages';
import { logDigester, type LoggedEvent } from './logged-event';

const PAGE = 500;

/** Which log a file was exported from. */
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

/** Reads a whole file, so that nothing is taken from one that is cut off or damaged. */
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
 * The events of an exported file. It ends with a failure when the file is not an export, is cut off, has something after
 * its end, or does not have the number and hash of events of its last line.
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

const EXPORT_AGAIN = 'Nothing can be taken from it; export the log again, or take another copy of the file.';

/** Lines end with a newline only: texts may hold the other characters that separate lines. */
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
