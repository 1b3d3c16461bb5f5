import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { cypherTokens } from '../gate/cypher-tokens';
import { isText, type Literal, literalWriter, NO_TEXT } from '../literal';
import { quoteString } from './kuzu-type';

/**
 * Puts parameters into the text as literals. The binding's own parameters cannot carry them: it turns `[]` into null,
 * misreads lists of mixed numbers and rounds integers. Only `$name` tokens are replaced, never text inside strings,
 * names or comments. Answers why a value cannot be written.
 */
export const withParameters = (text: string, parameters: Readonly<Record<string, unknown>>): Either<string, string> => {
  const tokens = cypherTokens(text);
  if (isLeft(tokens)) return left(tokens.left.message);
  let result = '';
  let from = 0;
  for (const token of tokens.right) {
    if (token.kind !== 'parameter') continue;
    const name = token.text.slice(1);
    if (!Object.hasOwn(parameters, name)) {
      return left(`The query uses $${name}, but "parameters" has no "${name}"; send a value for it (null is one).`);
    }
    const literal = cypherLiteral(parameters[name]);
    if (isLeft(literal)) return left(`Parameter ${name}: ${literal.left}`);
    result += text.slice(from, token.start) + literal.right;
    from = token.end;
  }
  return right(result + text.slice(from));
};

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
