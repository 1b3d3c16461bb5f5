import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CypherToken } from '../gate/cypher-tokens';
import { isText, type Literal, literalWriter } from '../literal';

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

const number = (value: number): Literal => {
  if (!Number.isFinite(value)) return left('only finite numbers can be sent.');
  if (!Number.isInteger(value)) return right(String(value));
  if (Number.isSafeInteger(value)) return right(String(value === 0 ? 0 : value));
  if (Math.abs(value) >= 2 ** 64) return right(value.toExponential());
  return left('JSON readers round integers beyond 2^53; send it as a string and write toInteger($name) in the query.');
};

export const cypherLiteral = literalWriter({
  constant: String,
  quote: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  number,
  entry: (key, literal) =>
    isText(key) && /^[^`]+$/.test(key)
      ? right(`\`${key}\`: ${literal}`)
      : left(`the engine has no map key ${JSON.stringify(key)}.`),
  emptyObject: right('{}'),
});
