import { readFileSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { matching, oneOf, text, textForm, type TextType } from '../../domain/kernel/codecs';

/** Codecs of environment variables: each decodes and encodes the text of a variable. */

export const nonEmpty = (max = 4096): TextType => text({ min: 1, max });

export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): t.Type<number, string> =>
  textForm(
    'integer',
    (given) => (/^\d{1,15}$/.test(given) && Number(given) >= min && Number(given) <= max ? Number(given) : null),
    `must be an integer ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`,
    String,
  );

export const port = integer(0, 65_535);

export const positiveNumber = textForm(
  'positive number',
  (given) => (/^\d+(\.\d+)?$/.test(given) && Number(given) > 0 ? Number(given) : null),
  'must be a number greater than 0',
  String,
);

/** Such as `8s`, in milliseconds. */
export const seconds = (min: number, max: number): t.Type<number, string> =>
  textForm(
    'seconds',
    (given) => {
      const count = Number(/^([1-9]\d{0,5})s$/.exec(given)?.[1] ?? 0);
      return count >= min && count <= max ? count * 1000 : null;
    },
    `must be from ${min}s to ${max}s, such as ${Math.min(8, max)}s`,
    (ms) => `${ms / 1000}s`,
  );

/** A URL with one of the schemes. */
export const url = (...schemes: readonly string[]): TextType => {
  const begins = schemes.map((scheme) => `${scheme}://`);
  const forms = schemes.map((scheme) => `${scheme}://${scheme.startsWith('http') ? '[^\\s/]\\S*' : '\\S+'}`);
  const regexp = new RegExp(`^(${forms.join('|')})$`);
  return matching(regexp, `must be a URL that begins with ${begins.join(' or ')}`, 2000);
};

export const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent');

/**
 * Returns a token, or the content of its file. The file is read at each call, because it is replaced before the token
 * expires; throws if it cannot be read.
 */
export const tokenReader =
  (token = '', file?: string) =>
  (): string =>
    file === undefined ? token : readFileSync(file, 'utf8').trim();

export const onOff = oneOf('on', 'off');

/** Returns the messages whose condition is true. */
export const failedChecks = (problems: readonly (readonly [isTrue: boolean, complaint: string])[]): readonly string[] =>
  problems.flatMap(([isTrue, problem]) => (isTrue ? [problem] : []));

/** Null, or messages about variables that are set without effect; `advice` completes the sentence. */
export const unusedVariables = (
  env: object,
  names: readonly string[],
  advice: string,
): Either<readonly string[], null> => {
  const used = names.filter((name) => Object.hasOwn(env, name));
  return used.length === 0 ? right(null) : left(used.map((name) => `${name} ${advice}`));
};
