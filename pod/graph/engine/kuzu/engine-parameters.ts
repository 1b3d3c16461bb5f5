import { isText } from '../query/literal';

/** Values the binding hands to the engine as what they are in JSON. */
export type EngineParameters = Readonly<Record<string, string | number | boolean>>;

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
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number')
    return Number.isInteger(value) === Number.isSafeInteger(value) && !Object.is(value, -0);
  return typeof value === 'boolean';
};
