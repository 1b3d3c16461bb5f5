import { type Either, isLeft, left, right } from 'fp-ts/Either';

/** A value as text of a query, or why it cannot be written. */
export type Literal = Either<string, string>;

/** How an engine writes the values of its queries. */
export interface LiteralStyle {
  readonly constant: (value: boolean | null) => string;
  readonly quote: (text: string) => string;
  readonly number: (value: number) => Literal;
  readonly entry: (key: string, literal: string) => Literal;
  readonly emptyObject: Literal;
}

/** Writes JSON values the way an engine reads them. */
export const literalWriter = ({
  constant,
  quote,
  number,
  entry,
  emptyObject,
}: LiteralStyle): ((value: unknown) => Literal) => {
  const literalOf = (value: unknown): Literal => {
    if (value === null || value === undefined) return right(constant(null));
    if (typeof value === 'boolean') return right(constant(value));
    if (typeof value === 'bigint') return right(String(value));
    if (typeof value === 'string') return isText(value) ? right(quote(value)) : left(NOT_TEXT);
    if (typeof value === 'number') return number(value);
    if (Array.isArray(value)) return joined('[', value.map(literalOf), ']');
    if (typeof value !== 'object') return left(`a ${typeof value} cannot be a value in a query.`);
    const entries = Object.entries(value).map(([key, item]) => {
      const literal = literalOf(item);
      return isLeft(literal) ? literal : entry(key, literal.right);
    });
    return entries.length === 0 ? emptyObject : joined('{', entries, '}');
  };
  return literalOf;
};

/**
 * The literals of the parameters a query uses, by their names; or which one is missing, or why a value cannot be written.
 */
export const parameterLiterals = <L>(
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
  literalOf: (value: unknown) => Either<string, L>,
): Either<string, ReadonlyMap<string, L>> => {
  const literals = new Map<string, L>();
  for (const name of names) {
    if (!Object.hasOwn(parameters, name)) {
      return left(
        `Missing parameter ${name}: the query uses $${name}. Send a value in "parameters" (null is possible).`,
      );
    }
    const literal = literalOf(parameters[name]);
    if (isLeft(literal)) return left(`Parameter ${name}: ${literal.left}`);
    literals.set(name, literal.right);
  }
  return right(literals);
};

/** Whether engines accept it: without NUL and half surrogate pairs. */
export const isText = (value: string): boolean => !/\0|\p{Surrogate}/u.test(value);
export const NOT_TEXT = 'the text contains U+0000 or half a surrogate pair.';

const joined = (open: string, parts: readonly Literal[], close: string): Literal => {
  const texts: string[] = [];
  for (const part of parts) {
    if (isLeft(part)) return part;
    texts.push(part.right);
  }
  return right(`${open}${texts.join(', ')}${close}`);
};
