import { type Either, left, map, right } from 'fp-ts/Either';
import { isText, type Literal, literalWriter, parameterLiterals } from '../literal';

/** The line in front of a query that gives its parameters their values, empty when it has none: ``CYPHER `a`=1 `b`='x'``. */
export const parameterLine = (
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): Either<string, string> =>
  map((literals: ReadonlyMap<string, string>) => {
    const settings = [...literals].map(([name, literal]) => `\`${name}\`=${literal}`);
    return settings.length === 0 ? '' : `CYPHER ${settings.join(' ')}\n`;
  })(parameterLiterals(names, parameters, cypherLiteral));

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
      : left(`unsupported map key ${JSON.stringify(key)}.`),
  emptyObject: right('{}'),
});
