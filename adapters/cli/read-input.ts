import { isUtf8 } from 'node:buffer';
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
  try {
    const bytes = path === '-' ? await terminal.readInput() : readFileSync(path);
    if (isUtf8(bytes)) return right(new TextDecoder().decode(bytes));
    const name = path === '-' ? 'The standard input' : path;
    return left(failed(`${name} is not UTF-8 text; save it as UTF-8 (iconv -f WINDOWS-1252 or UTF-16 -t UTF-8).`));
  } catch (error) {
    return left(failed(`Cannot read ${path}: ${messageOf(error).split(',')[0]}.`));
  }
};

/** A query: the argument at `index` or the content of the option's file, else the standard input. */
export const readQuery = async (
  input: CommandInput,
  index: number,
  terminal: Terminal,
  advice: string,
): Answer<string> => {
  const [written, file] = [input.args[index], input.text('file')];
  if (written !== undefined && file !== undefined) {
    return left(usageError('Write the query, or use -f <file>, not both.'));
  }
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
      parts.map(({ name, text, json }) => [name, json === undefined ? text : jsonText(text)]),
    ),
  );

/** The values of `name=value` texts for an algorithm: JSON, or the text itself. */
export const parametersOf = (given: readonly string[]): Either<CliFailure, Parameters> =>
  mapRight(traverseArray(parameterOf)(given), Object.fromEntries<unknown>);

interface Part {
  readonly name: string;
  readonly text: string;
  /** Undefined: a plain text. */
  readonly json: unknown;
}

const partOf = (given: string): Either<CliFailure, Part> => {
  const [, name, text] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(given) ?? [];
  if (name === undefined || text === undefined) {
    return left(
      usageError(`Invalid parameter "${given}"; expected name=value, for example -p id=7 or -p 'names=["Ada"]'.`),
    );
  }
  const json = parseExactJson(text);
  if (json === undefined && /^[[{"]/.test(text)) {
    const advice = `write a text that begins with [, { or " as JSON: -p '${name}=${JSON.stringify(text)}'`;
    return left(usageError(`The parameter ${name} is neither JSON nor a plain text: ${text}; ${advice}.`));
  }
  return right({ name, text, json });
};

const parameterOf = (given: string): Either<CliFailure, readonly [string, unknown]> =>
  andThen(partOf(given), ({ name, text, json }: Part): Either<CliFailure, readonly [string, unknown]> => {
    if (holdsBigint(json))
      return left(usageError(`${text} would be rounded; send it as a string: -p '${name}="${text}"'.`));
    return right([name, json === undefined ? text : json]);
  });

const holdsBigint = (value: unknown): boolean =>
  typeof value === 'bigint' || (typeof value === 'object' && value !== null && Object.values(value).some(holdsBigint));
