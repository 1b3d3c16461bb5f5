import { type Either, isLeft, left, right } from 'fp-ts/Either';

/** A string literal that every Cypher parser accepts. */
export const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** A finite float, which is not an integer in any parser. */
export const floatText = (value: number): string => {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
};

/**
 * The literals of a query's parameters, by their names; or the missing parameter, or the reason why a value cannot be
 * written.
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

/** Whether engines accept it: without NUL and unpaired surrogates. */
export const isText = (value: string): boolean => !/\0|\p{Surrogate}/u.test(value);
export const NOT_TEXT = 'the text contains U+0000 or half a surrogate pair.';
