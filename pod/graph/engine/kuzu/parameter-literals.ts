import { type Either, left, map, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../query/analyse-query';
import { isText, type Literal, literalWriter, NO_TEXT, parameterLiterals } from '../query/literal';
import { quoteString } from './kuzu-type';
import { type TextEdit } from './text-edits';

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
