import { fail } from './query-fault';
import { type Call, type Expression, type Name, type Span } from './tree';

export const MEANINGS = {
  node: 'a node',
  relationship: 'a relationship',
  relationships: 'a list of relationships',
  path: 'a path',
  value: 'a value',
  /** Known only from the rows. */
  any: 'a value',
} as const;

/** The kind of value of a name. */
export type Meaning = keyof typeof MEANINGS;

/** Names and their kinds, in the order in which the query introduces them. */
export type Scope = ReadonlyMap<string, Meaning>;

/** A scope with one more name. */
export const introduced = (scope: Scope, name: Name, meaning: Meaning): Scope => {
  const before = scope.get(name.text);
  if (before !== undefined) fail(`${name.text} is already ${MEANINGS[before]}; choose another name.`, name);
  return new Map(scope).set(name.text, meaning);
};

/** A procedure without YIELD names all its results; only the engine knows these names. */
export const UNLISTED = '*';

/** The import of `CALL (*)`. */
export const ALL_NAMES = '*';

export const meaningOfName = (scope: Scope, name: string, place: Span): Meaning =>
  scope.get(name) ??
  scope.get(UNLISTED) ??
  fail(`Unknown name ${name}; known here: ${[...scope.keys()].filter(isName).join(', ') || 'none'}.`, place);

/** Columns without a name are known by their shapes. */
const isName = (known: string): boolean => !known.startsWith('{"kind":');

/** Kinds of arguments for which functions do not have a value. */
const WRONG_ARGUMENTS: ReadonlyMap<string, readonly Meaning[]> = new Map([
  ['TYPE', ['node', 'path']],
  ['LENGTH', ['node', 'relationship']],
  ['SIZE', ['node', 'relationship', 'path']],
  ['LABELS', ['path']],
]);

export const checkArgument = ({ name, arguments: [value] }: Call, scope: Scope): void => {
  const meaning = value?.kind === 'variable' ? scope.get(value.name) : undefined;
  if (value === undefined || meaning === undefined) return;
  if (WRONG_ARGUMENTS.get(name.toUpperCase())?.includes(meaning) === true)
    fail(`${name} has no value for ${MEANINGS[meaning]}.`, value);
};

const VALUES =
  /^(literal|number|list|map|map_projection|unary|comparison|null_test|has_labels|(pattern_)?comprehension|quantifier)$/;

/** The kind of value of an expression. */
export const meaningOf = (value: Expression, scope: Scope): Meaning => {
  if (value.kind === 'variable') return scope.get(value.name) ?? 'any';
  // NULL may represent a missing node.
  if (value.kind === 'literal' && value.value === null) return 'any';
  return VALUES.test(value.kind) ? 'value' : 'any';
};
