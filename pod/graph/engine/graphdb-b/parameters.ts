import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CypherToken } from '../gate/cypher-tokens';

/**
 * The line in front of a query that gives its parameters their values, empty when it has none: `CYPHER a=1 b='x'`.
 * Answers which parameter is missing, or why a value cannot be written.
 */
export const parameterLine = (
  tokens: readonly CypherToken[],
  parameters: Readonly<Record<string, unknown>>,
): Either<string, string> => {
  const names = new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ text }) => text.slice(1)));
  const settings: string[] = [];
  for (const name of names) {
    if (!Object.hasOwn(parameters, name)) {
      return left(`The query uses $${name}, but "parameters" has no "${name}"; send a value for it (null is one).`);
    }
    const literal = cypherLiteral(parameters[name]);
    if (isLeft(literal)) return left(`Parameter ${name}: ${literal.left}`);
    settings.push(`${name}=${literal.right}`);
  }
  return right(settings.length === 0 ? '' : `CYPHER ${settings.join(' ')}\n`);
};

export const cypherLiteral = (value: unknown): Either<string, string> => {
  if (value === null || value === undefined) return right('null');
  if (typeof value === 'boolean') return right(String(value));
  if (typeof value === 'bigint') return right(String(value));
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return numberLiteral(value);
  if (Array.isArray(value)) return joined('[', value.map(cypherLiteral), ']');
  if (typeof value === 'object') return mapLiteral(value);
  return left(`a ${typeof value} is no value of a query.`);
};

const stringLiteral = (value: string): Either<string, string> =>
  /\0|\p{Surrogate}/u.test(value)
    ? left('the text contains a character that no text has.')
    : right(`'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`);

const numberLiteral = (value: number): Either<string, string> => {
  if (!Number.isFinite(value)) return left('only finite numbers can be sent.');
  if (!Number.isInteger(value)) return right(String(value));
  if (Number.isSafeInteger(value)) return right(String(value === 0 ? 0 : value));
  if (Math.abs(value) >= 2 ** 64) return right(value.toExponential());
  return left('JSON readers round integers beyond 2^53; send it as a string and write toInteger($name) in the query.');
};

const mapLiteral = (value: object): Either<string, string> => {
  const entries = Object.entries(value).map(([key, item]): Either<string, string> => {
    if (!/^[^`\0\p{Surrogate}]+$/u.test(key)) return left(`the engine has no map key ${JSON.stringify(key)}.`);
    const literal = cypherLiteral(item);
    return isLeft(literal) ? literal : right(`\`${key}\`: ${literal.right}`);
  });
  return joined('{', entries, '}');
};

const joined = (open: string, parts: readonly Either<string, string>[], close: string): Either<string, string> => {
  const texts: string[] = [];
  for (const part of parts) {
    if (isLeft(part)) return part;
    texts.push(part.right);
  }
  return right(`${open}${texts.join(', ')}${close}`);
};
