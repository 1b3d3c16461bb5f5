import { type QueryFailure } from '../graph-engine';

/** The engine's message in our words: the position is part of parser messages, a timeout is `Interrupted.` */
export const queryFailure = (error: unknown, timeoutMs: number): QueryFailure => {
  if (isInterruption(error)) return { kind: 'timeout', timeoutMs };
  const text = error instanceof Error ? error.message : String(error);
  const [, message = text, line, offset] = /^(.*?) ?\(line: (\d+), offset: (\d+)\)/s.exec(text) ?? [];
  const position = line === undefined ? null : { line: Number(line), column: Number(offset) + 1 };
  return { kind: 'rejected', message, position };
};

export const isParserError = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Parser exception');

/** The statement has reached its timeout. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof Error && /^Interrupted\.?$/.test(error.message.trim());
