import { type Scope } from './expression-types';
import { fail } from './query-fault';
import { type Call, type Name, type Span } from './tree';
import { UNKNOWN, type ValueType } from './value-type';

/** What a name stands for, in messages. */
export const described = (type: ValueType = UNKNOWN): string => {
  if (type.kind === 'node' || type.kind === 'relationship' || type.kind === 'path') return `a ${type.kind}`;
  return type.kind === 'list' && type.item.kind === 'relationship' ? 'a list of relationships' : 'a value';
};

/** A scope with one more name. */
export const introduced = (scope: Scope, name: Name, type: ValueType): Scope => {
  const before = scope.get(name.text);
  if (before !== undefined) fail(`${name.text} is already ${described(before)}; choose another name.`, name);
  return new Map(scope).set(name.text, type);
};

/** A procedure without YIELD names all its results; only the engine knows these names. */
export const UNLISTED = '*';

/** The import of `CALL (*)`. */
export const ALL_NAMES = '*';

export const typeOfName = (scope: Scope, name: string, place: Span): ValueType =>
  scope.get(name) ??
  scope.get(UNLISTED) ??
  fail(`Unknown name ${name}; known here: ${[...scope.keys()].filter(isName).join(', ') || 'none'}.`, place);

/** Columns without a name are known by their shapes. */
const isName = (known: string): boolean => !known.startsWith('{"kind":');

/** Kinds of arguments for which functions do not have a value. */
const WRONG_ARGUMENTS: ReadonlyMap<string, readonly ValueType['kind'][]> = new Map([
  ['TYPE', ['node', 'path']],
  ['LENGTH', ['node', 'relationship']],
  ['SIZE', ['node', 'relationship', 'path']],
  ['LABELS', ['path']],
]);

export const checkArgument = ({ name, arguments: [value] }: Call, scope: Scope): void => {
  const type = value?.kind === 'variable' ? scope.get(value.name) : undefined;
  if (value === undefined || type === undefined) return;
  if (WRONG_ARGUMENTS.get(name.toUpperCase())?.includes(type.kind) === true)
    fail(`${name} has no value for ${described(type)}.`, value);
};
