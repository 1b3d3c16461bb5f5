import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ClientFailure, type Success } from '../client';
import * as t from 'io-ts';

/** Exit codes: 1 refused or failed, 2 wrong usage, 3 nobody answers, 130 interrupted. */
export interface CliFailure {
  readonly exitCode: 1 | 2 | 3 | 130;
  /** What failed, then what to do. */
  readonly lines: readonly string[];
}

export const failed = (...lines: readonly string[]): CliFailure => ({ exitCode: 1, lines });
export const wrongUsage = (...lines: readonly string[]): CliFailure => ({ exitCode: 2, lines });

/** A failure of the client in words for people. */
export const explain = (failure: ClientFailure): CliFailure => {
  if (failure.kind === 'unreachable') {
    return {
      exitCode: 3,
      lines: [
        `Nobody answers at ${failure.url}: ${failure.reason}.`,
        'Is rowgraph running there? Start it with npm start, or name another address: --url, ROWGRAPH_URL or rowgraph login --url.',
      ],
    };
  }
  if (failure.kind === 'unreadable') {
    return failed(
      `${failure.url} answered ${failure.status}, but not as rowgraph does: ${failure.excerpt}`,
      'Is this the address of rowgraph, and of the same version as this program?',
    );
  }
  const { code, message, requestId } = failure;
  return failed(
    // Where a pod answers in words alone, there is no code.
    code.startsWith('HTTP_') ? message : `${message} (${code})`,
    ...fieldLines(failure.details, message),
    ...(HINTS[code] ?? []),
    ...(failure.status >= 500 && !('maintenance' in failure.details) && requestId !== null
      ? [`Request id: ${requestId}`]
      : []),
  );
};

const HINTS: Readonly<Record<string, readonly string[]>> = {
  UNAUTHORIZED: ['Log in with: rowgraph login --username <name>, or --key <key>, or --token <token>.'],
  CONCURRENCY_LIMIT_EXCEEDED: ['Delete one you no longer need: rowgraph instances list --mine'],
  RESOURCE_HAS_DEPENDENCIES: [
    'Snapshots leave by themselves when no instance uses them: rowgraph mappings snapshots <mapping>',
  ],
};

const FieldErrors = t.readonlyArray(t.type({ field: t.string, message: t.string }));

/** What is wrong with each field, unless the message says it already. */
const fieldLines = (details: Readonly<Record<string, unknown>>, message: string): readonly string[] => {
  const { errors } = details;
  const told = FieldErrors.is(errors) ? errors.filter((error) => !message.includes(error.message)) : [];
  return told.map((error) => `  ${error.field} ${error.message}`);
};

/** The answer to an operation made into something else, a failure in words. */
export const answered = async <O, R>(
  answer: Promise<Either<ClientFailure, Success<O>>>,
  use: (success: Success<O>) => R,
): Promise<Either<CliFailure, R>> => {
  const result = await answer;
  return isLeft(result) ? left(explain(result.left)) : right(use(result.right));
};
