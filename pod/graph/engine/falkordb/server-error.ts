import { type QueryFailure } from '../graph-engine';

/** The server's message in our words: syntax errors carry a place whose column counts bytes. */
export const queryFailure = (reason: string, text: string, timeoutMs: number): QueryFailure => {
  if (reason === 'Query timed out') return { kind: 'timeout', timeoutMs };
  if (reason.includes('mem consumption exceeded capacity')) {
    const message =
      'The query needs more memory than one query may take; ask for less at a time, or aggregate earlier.';
    return { kind: 'rejected', message, position: null };
  }
  const found = /^(?:errMsg: )?(.*?) line: (\d+), column: (\d+), offset: \d+/s.exec(reason);
  if (found === null) return { kind: 'rejected', message: reason, position: null };
  const [, message = reason, line = '1', column = '1'] = found;
  const before = Buffer.from(text.split('\n')[Number(line) - 1] ?? '').subarray(0, Number(column) - 1);
  return { kind: 'rejected', message, position: { line: Number(line), column: [...before.toString()].length + 1 } };
};
