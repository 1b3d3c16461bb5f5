import { readFileSync } from 'node:fs';
import { type Either, isLeft, left, right, traverseArray } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrorLines, unknownFields } from '../../domain/kernel/codecs';
import { andThen, mapRight } from '../../domain/kernel/either';
import { jsonText, parseExactJson } from '../client';
import { type AnyEndpoint } from '../http/kit';
import { type CommandInput } from './action';
import { type Answer, type CliFailure, failed, usageError } from './failure';
import { type Terminal } from './terminal';

/** The text of a file; `-` is the standard input. */
const readTextInput = async (path: string, terminal: Terminal): Answer<string> => {
  if (path === '-') return right(await terminal.readInput());
  try {
    return right(readFileSync(path, 'utf8'));
  } catch (error) {
    return left(failed(`Cannot read ${path}: ${messageOf(error).split(',')[0]}.`));
  }
};

/** A query: the argument at `index`, else the content of the option's file, else the standard input. */
export const readQuery = async (
  input: CommandInput,
  index: number,
  terminal: Terminal,
  advice: string,
): Answer<string> => {
  const [written, file] = [input.args[index], input.text('file')];
  const isMissing = written === undefined && file === undefined && terminal.isInteractive;
  const text = isMissing
    ? right('')
    : written === undefined
      ? await readTextInput(file ?? '-', terminal)
      : right(written);
  return isLeft(text) || text.right.trim() !== '' ? text : left(usageError(advice));
};

/** The body in a file, with the options applied, checked before it is sent. */
export const readBody = async (
  endpoint: AnyEndpoint,
  file: string | undefined,
  terminal: Terminal,
  extra: object,
): Answer<unknown> => {
  const text = file === undefined ? right('{}') : await readTextInput(file, terminal);
  if (isLeft(text)) return text;
  const parsed = await parseInput(text.right, file ?? '');
  return isLeft(parsed)
    ? parsed
    : checkBody(endpoint, { ...parsed.right, ...extra }, (problems) =>
        failed(`${file ?? 'The request'} is not valid:`, ...problems.map((one) => `  ${one}`)),
      );
};

/** The decoded body, or its errors by field; a misspelt field is one. */
export const checkBody = (
  endpoint: AnyEndpoint,
  body: object,
  failure: (problems: readonly string[]) => CliFailure,
): Either<CliFailure, unknown> => {
  const codec: t.Type<unknown, unknown> = endpoint.body ?? t.unknown;
  const decoded: Either<t.Errors, unknown> = codec.decode(body);
  const misspelt = unknownFields(codec, body).flatMap(({ field, meant }) =>
    meant === null ? [] : `${field} is not a field; write ${meant}`,
  );
  const problems = [...(isLeft(decoded) ? fieldErrorLines(decoded.left) : []), ...misspelt];
  return isLeft(decoded) || misspelt.length > 0 ? left(failure(problems)) : decoded;
};

/** The object in a JSON or YAML text. */
const parseInput = async (text: string, where: string): Answer<object> => {
  const json = text.trimStart();
  try {
    const value: unknown = json.startsWith('{') ? JSON.parse(json) : (await import('yaml')).parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return right(value);
    return left(failed(`${where} must contain one JSON or YAML object.`));
  } catch (error) {
    return left(failed(`${where} is neither JSON nor YAML: ${messageOf(error)}`));
  }
};

const messageOf = (error: unknown): string =>
  String(typeof error === 'object' && error !== null && 'message' in error ? error.message : error).trim();

type Parameters = Readonly<Record<string, unknown>>;

/** The values of `name=value` texts for a query: JSON, which is sent unchanged, or the text itself. */
export const queryParametersOf = (given: readonly string[]): Either<CliFailure, Parameters> =>
  mapRight(traverseArray(partOf)(given), (parts) =>
    Object.fromEntries<unknown>(
      parts.map(({ name, text }) => [name, parseExactJson(text) === undefined ? text : jsonText(text)]),
    ),
  );

/** The values of `name=value` texts for an algorithm: JSON, or the text itself. */
export const parametersOf = (given: readonly string[]): Either<CliFailure, Parameters> =>
  mapRight(traverseArray(parameterOf)(given), Object.fromEntries<unknown>);

interface Part {
  readonly name: string;
  readonly text: string;
}

const partOf = (given: string): Either<CliFailure, Part> => {
  const [, name, text] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(given) ?? [];
  return name === undefined || text === undefined
    ? left(usageError(`Invalid parameter "${given}"; expected name=value, for example -p id=7 or -p 'names=["Ada"]'.`))
    : right({ name, text });
};

const parameterOf = (given: string): Either<CliFailure, readonly [string, unknown]> =>
  andThen(partOf(given), ({ name, text }: Part): Either<CliFailure, readonly [string, unknown]> => {
    const json = parseExactJson(text);
    if (holdsBigint(json))
      return left(usageError(`${text} would be rounded; send it as a string: -p '${name}="${text}"'.`));
    return right([name, json === undefined ? text : json]);
  });

const holdsBigint = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBigint));
