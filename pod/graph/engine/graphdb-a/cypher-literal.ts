import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { cypherTokens } from '../gate/cypher-tokens';
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

const cypherLiteral = (value: unknown): Either<string, string> => {
  if (value === null || value === undefined) return right('NULL');
  if (typeof value === 'boolean') return right(value ? 'TRUE' : 'FALSE');
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return numberLiteral(value);
  if (Array.isArray(value)) return joined('[', value.map(cypherLiteral), ']');
  if (typeof value === 'object') return structLiteral(value);
  return left(`a ${typeof value} is no value of a query.`);
};

const stringLiteral = (value: string): Either<string, string> =>
  /\0|\p{Surrogate}/u.test(value) ? left('the text contains a character that no text has.') : right(quoteString(value));

const numberLiteral = (value: number): Either<string, string> => {
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64) {
    return left(
      'JSON readers round integers beyond 2^53; send it as a string and write CAST($name AS INT64) in the query.',
    );
  }
  const text = Object.is(value, -0) ? '-0.0' : String(value).replace('e+', 'e');
  return right(text.startsWith('-') ? `(${text})` : text);
};

const structLiteral = (value: object): Either<string, string> => {
  const entries = Object.entries(value).map(([key, item]) => {
    const name = stringLiteral(key);
    const literal = cypherLiteral(item);
    if (isLeft(name)) return name;
    return isLeft(literal) ? literal : right(`${name.right}: ${literal.right}`);
  });
  return entries.length === 0
    ? left('the engine has no empty object; leave the field out.')
    : joined('{', entries, '}');
};

const joined = (open: string, parts: readonly Either<string, string>[], close: string): Either<string, string> => {
  const texts: string[] = [];
  for (const part of parts) {
    if (isLeft(part)) return part;
    texts.push(part.right);
  }
  return right(`${open}${texts.join(', ')}${close}`);
};
