import { type Either, left, map, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../query/analyse-query';
import { isText, type Literal, literalWriter, NO_TEXT, parameterLiterals } from '../query/literal';
import { quoteString } from './kuzu-type';
import { type TextEdit } from '../query/text-edits';

/** Values the binding hands to the engine as what they are in JSON. */
export type EngineParameters = Readonly<Record<string, string | number | boolean>>;

/**
 * The named ones of a query's parameters, when the binding can carry all of them; null otherwise. It cannot carry null,
 * lists, objects, or integers it would round; those are written into the text as literals.
 */
export const engineParameters = (
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): EngineParameters | null => {
  const carried: Record<string, string | number | boolean> = {};
  for (const name of names) {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!isCarried(value)) return null;
    carried[name] = value;
  }
  return carried;
};

const isCarried = (value: unknown): value is string | number | boolean => {
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number')
    return Number.isInteger(value) === Number.isSafeInteger(value) && !Object.is(value, -0);
  return typeof value === 'boolean';
};

/**
 * Puts parameters into the text as literals. The binding's own parameters cannot carry all of them: it turns `[]` into
 * null, misreads lists of mixed numbers and rounds integers. Answers why a value cannot be written.
 */
export const parametersAsLiterals = (
  { tokens, parameters: names }: AnalysedQuery,
  parameters: Readonly<Record<string, unknown>>,
): Either<string, readonly TextEdit[]> =>
  map((literals: ReadonlyMap<string, string>) =>
    tokens
      .filter(({ kind }) => kind === 'parameter')
      .map(({ text, start, end }) => ({ start, end, words: literals.get(text.slice(1)) ?? 'NULL' })),
  )(parameterLiterals(names, parameters, cypherLiteral));

const number = (value: number): Literal => {
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64) {
    return left(
      'JSON readers round integers beyond 2^53; send it as a string and write CAST($name AS INT64) in the query.',
    );
  }
  const text = Object.is(value, -0) ? '-0.0' : String(value).replace('e+', 'e');
  return right(text.startsWith('-') ? `(${text})` : text);
};

const cypherLiteral = literalWriter({
  constant: (value) => String(value).toUpperCase(),
  quote: quoteString,
  number,
  entry: (key, literal) => (isText(key) ? right(`${quoteString(key)}: ${literal}`) : left(NO_TEXT)),
  emptyObject: left('the engine has no empty object; leave the field out.'),
});
