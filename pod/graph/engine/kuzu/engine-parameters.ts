import { isLeft } from 'fp-ts/Either';
import { cypherTokens } from '../gate/cypher-tokens';
import { remembering } from '../recent';

/** Values the binding hands to the engine as what they are in JSON. */
export type EngineParameters = Readonly<Record<string, string | number | boolean>>;

/** Names of the parameters a text uses, each as often as it does. */
export const parameterNames = remembering((text: string): readonly string[] => {
  const tokens = cypherTokens(text);
  if (isLeft(tokens)) return [];
  return tokens.right.filter(({ kind }) => kind === 'parameter').map((token) => token.text.slice(1));
});

/**
 * The named ones of a query's parameters, when the binding can carry all of them; null otherwise. It cannot carry null,
 * lists, objects, or integers it would round; those are written into the text as literals.
 */
export const engineParameters = (
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): EngineParameters | null => {
  const carried: Record<string, string | number | boolean> = {};
  for (const name of names) {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!isCarried(value)) return null;
    carried[name] = value;
  }
  return carried;
};

const isCarried = (value: unknown): value is string | number | boolean => {
  if (typeof value === 'string') return !/\0|\p{Surrogate}/u.test(value);
  if (typeof value === 'number')
    return Number.isInteger(value) === Number.isSafeInteger(value) && !Object.is(value, -0);
  return typeof value === 'boolean';
};
