import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { excerptAt, type TextPlace } from '../../domain/kernel/excerpt';
import { type ClientFailure, type Success } from '../client';

/** Exit codes: 1 rejected or failed, 2 wrong usage, 3 unreachable, 130 interrupted. */
export interface CliFailure {
  readonly exitCode: 1 | 2 | 3 | 130;
  /** What failed, then the next step. */
  readonly lines: readonly string[];
  /** The error of the API, for `--json`. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** The result of work of a command. */
export type Answer<A> = Promise<Either<CliFailure, A>>;

export const failed = (...lines: readonly string[]): CliFailure => ({ exitCode: 1, lines });
export const usageError = (...lines: readonly string[]): CliFailure => ({ exitCode: 2, lines });

export const unknownValue = (noun: string, value: string, known: readonly string[]): CliFailure =>
  usageError(`Unknown ${noun} "${value}"; expected one of ${known.join(', ')}.`);

const CODES = { 1: 'FAILED', 2: 'WRONG_USAGE', 3: 'UNREACHABLE', 130: 'INTERRUPTED' } as const;

/** A failure as `--json` prints it: one line. */
export const failureJson = ({ exitCode, lines, error }: CliFailure): string =>
  JSON.stringify({ error: error ?? { code: CODES[exitCode], message: lines.join('\n').trim() } });

/**
 * A failure of the client as text.
 *
 * @param source The query that failed, if any; the line with the error is printed.
 */
export const explain = (failure: ClientFailure, source = ''): CliFailure => {
  if (failure.kind === 'unreachable') {
    return {
      exitCode: 3,
      lines: [
        `No answer from ${failure.url}: ${failure.reason}.`,
        'Start rowgraph there (npm start), or use another address: --url, ROWGRAPH_URL or rowgraph login --url.',
      ],
    };
  }
  if (failure.kind === 'unreadable') {
    return failed(
      `${failure.url} returned ${failure.status} with an unexpected body: ${failure.excerpt}`,
      'Check that this is the address of rowgraph, in the same version as this program.',
    );
  }
  const { code, message, details, requestId } = failure;
  const position = Place.is(details['position']) ? details['position'] : null;
  const place = position === null ? '' : `Line ${position.line}, column ${position.column}: `;
  return {
    exitCode: 1,
    lines: [
      // Answers of pods without an error envelope have no code.
      code.startsWith('HTTP_') ? message : `${place}${message} (${code})`,
      ...(position === null ? [] : excerptLines(source, position)),
      ...fieldLines(details, message),
      ...(HINTS[code] ?? []),
      ...(failure.status >= 500 && !('maintenance' in details) && requestId !== null
        ? [`Request id: ${requestId}`]
        : []),
    ],
    error: { code, message, ...{ details, request_id: requestId } },
  };
};

const HINTS: Readonly<Record<string, readonly string[]>> = {
  UNAUTHORIZED: ['Log in with: rowgraph login --username <name>, or --key <key>, or --token <token>.'],
  CONCURRENCY_LIMIT_EXCEEDED: ['Delete an instance you no longer need: rowgraph instances list --mine'],
  RESOURCE_HAS_DEPENDENCIES: [
    'Snapshots that no instance uses expire automatically: rowgraph mappings snapshots <mapping>',
  ],
};

const Place = t.type({ line: t.number, column: t.number });
const FieldErrors = t.readonlyArray(t.type({ field: t.string, message: t.string }));

/** The line of a query at a position, and a caret below the column. */
export const excerptLines = (source: string, position: TextPlace): readonly string[] => {
  const excerpt = excerptAt(source, position);
  return excerpt === null ? [] : [`  ${excerpt.line}`, `  ${excerpt.caret}`];
};

/** The error of each field, unless the message contains it. */
const fieldLines = (details: Readonly<Record<string, unknown>>, message: string): readonly string[] => {
  const { errors } = details;
  const others = FieldErrors.is(errors) ? errors.filter((error) => !message.includes(error.message)) : [];
  return others.map((error) => `  ${error.field} ${error.message}`);
};

/** Maps the result of an operation, and converts its failure to text. */
export const answered = async <O, R>(
  answer: Promise<Either<ClientFailure, Success<O>>>,
  use: (success: Success<O>) => R,
): Answer<R> => {
  const result = await answer;
  return isLeft(result) ? left(explain(result.left)) : right(use(result.right));
};
