import { type QueryFailure } from '../../graph-engine';
import { type TextPosition } from '../../query/cypher-tokens';

/** Why a statement was not answered. */
export type StatementFailure =
  /** Nothing ran. The message is the engine's. */
  | { readonly kind: 'not_compiled'; readonly message: string }
  /** The message is the engine's. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The engine would answer wrongly; the message is for the user. */
  | { readonly kind: 'refused'; readonly message: string; readonly position: TextPosition | null };

export const refused = (message: string, position: TextPosition | null = null): StatementFailure => ({
  kind: 'refused',
  message,
  position,
});

/** What the engine's binding threw. */
export const thrownFailure = (error: unknown): StatementFailure => {
  const message = error instanceof Error ? error.message : String(error);
  return { kind: message.startsWith('Binder exception') ? 'not_compiled' : 'failed', message };
};

/** Translates the engine's message: parser messages contain the position, a timeout is `Interrupted.` */
export const queryFailure = (failure: StatementFailure, timeoutMs: number): QueryFailure => {
  if (failure.kind === 'refused') return { ...failure, kind: 'rejected' };
  const { message: text } = failure;
  if (/^Interrupted\.?$/.test(text.trim())) return { kind: 'timeout', timeoutMs };
  if (text.startsWith('Buffer manager exception: Unable to allocate memory')) return { kind: 'memory' };
  const [, message = text, line, offset] = /^(.*?) ?\(line: (\d+), offset: (\d+)\)/s.exec(text) ?? [];
  const position = line === undefined ? null : { line: Number(line), column: Number(offset) + 1 };
  return { kind: 'rejected', message, position };
};

export const isParserError = ({ message }: StatementFailure): boolean => message.startsWith('Parser exception');
