import { readFileSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import { type CliFailure, failed } from './failure';
import { type Terminal } from './terminal';

/** The text of a file; `-` is the standard input. */
export const readTextInput = async (path: string, terminal: Terminal): Promise<Either<CliFailure, string>> => {
  if (path === '-') return right(await terminal.readInput());
  try {
    return right(readFileSync(path, 'utf8'));
  } catch (error) {
    return left(failed(`${path} cannot be read: ${messageOf(error)}.`));
  }
};

/** The object in a JSON or YAML text; YAML keeps queries of several lines readable. */
export const parseInput = async (
  text: string,
  where: string,
): Promise<Either<CliFailure, Readonly<Record<string, unknown>>>> => {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : (await import('yaml')).parse(text);
    if (isRecord(value)) return right(value);
    return left(failed(`${where} has to hold one object in JSON or YAML, and holds something else.`));
  } catch (error) {
    return left(failed(`${where} is neither JSON nor YAML: ${messageOf(error)}`));
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const messageOf = (error: unknown): string =>
  String(typeof error === 'object' && error !== null && 'message' in error ? error.message : error).trim();
