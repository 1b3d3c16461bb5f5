import { type Either, isLeft, left, right, sequenceArray } from 'fp-ts/Either';
import { mapRight } from '../../../../domain/kernel/either';
import { quoted } from '../cypher/print-expression';
import { missingParameter } from '../cypher/query-fault';

/** A value as query text, or the reason why it cannot be written. */
type Literal = Either<string, string>;

/** The line before a query that sets its parameters, empty without parameters: ``CYPHER `a`=1 `b`='x'``. */
export const parameterLine = (
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): Either<string, string> => {
  const settings: string[] = [];
  for (const name of names) {
    if (!Object.hasOwn(parameters, name)) return left(missingParameter(name));
    const literal = cypherLiteral(parameters[name]);
    if (isLeft(literal)) return left(`Parameter ${name}: ${literal.left}`);
    settings.push(`\`${name}\`=${literal.right}`);
  }
  return right(settings.length === 0 ? '' : `CYPHER ${settings.join(' ')}\n`);
};

/** A finite float, which is not an integer in any parser. */
const float = (value: number): Literal => {
  if (!Number.isFinite(value)) return left('only finite numbers can be sent.');
  const text = Object.is(value, -0) ? '-0' : String(value);
  return right(/^-?\d+$/.test(text) ? `${text}.0` : text);
};

/** Whether engines accept it: without NUL and unpaired surrogates. */
const isText = (value: string): boolean => !/\0|\p{Surrogate}/u.test(value);
const NOT_TEXT = 'the text contains U+0000 or half a surrogate pair.';

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
