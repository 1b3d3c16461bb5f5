import { type QueryFailure } from '../graph-engine';

/** The engine's message in our words: the position is part of parser messages, a timeout is `Interrupted.` */
export const queryFailure = (error: unknown, timeoutMs: number): QueryFailure => {
  const text = error instanceof Error ? error.message : String(error);
  if (/^Interrupted\.?$/.test(text.trim())) return { kind: 'timeout', timeoutMs };
  const [, message = text, line, offset] = /^(.*?) ?\(line: (\d+), offset: (\d+)\)/s.exec(text) ?? [];
  const position = line === undefined ? null : { line: Number(line), column: Number(offset) + 1 };
  return { kind: 'rejected', message, position };
};

export const isParserError = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Parser exception');
