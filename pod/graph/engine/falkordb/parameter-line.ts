import { type Either, left, right, sequenceArray } from 'fp-ts/Either';
import { mapRight } from '../../../../domain/kernel/either';
import { floatText, isText, NOT_TEXT, parameterLiterals, quoted } from '../literal';

/** A value as query text, or the reason why it cannot be written. */
type Literal = Either<string, string>;

/** The line before a query that sets its parameters, empty without parameters: ``CYPHER `a`=1 `b`='x'``. */
export const parameterLine = (
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): Either<string, string> =>
  mapRight(parameterLiterals(names, parameters, cypherLiteral), (literals) => {
    const settings = [...literals].map(([name, literal]) => `\`${name}\`=${literal}`);
    return settings.length === 0 ? '' : `CYPHER ${settings.join(' ')}\n`;
  });

const float = (value: number): Literal =>
  Number.isFinite(value) ? right(floatText(value)) : left('only finite numbers can be sent.');

/** Writes the value of a parameter. */
export const cypherLiteral = (value: unknown): Literal => {
  if (value === null || value === undefined) return right('null');
  if (typeof value === 'boolean' || typeof value === 'bigint') return right(String(value));
  if (typeof value === 'string') return isText(value) ? right(quoted(value)) : left(NOT_TEXT);
  if (typeof value === 'number') return float(value);
  if (Array.isArray(value)) return joined('[', value.map(cypherLiteral), ']');
  if (typeof value !== 'object') return left(`a ${typeof value} cannot be a value in a query.`);
  return joined('{', Object.entries(value).map(entry), '}');
};

const entry = ([key, value]: readonly [string, unknown]): Literal =>
  isText(key) && /^[^`]+$/.test(key)
    ? mapRight(cypherLiteral(value), (text) => `\`${key}\`: ${text}`)
    : left(`unsupported map key ${JSON.stringify(key)}.`);

const joined = (open: string, parts: readonly Literal[], close: string): Literal =>
  mapRight(sequenceArray(parts), (texts) => `${open}${texts.join(', ')}${close}`);
