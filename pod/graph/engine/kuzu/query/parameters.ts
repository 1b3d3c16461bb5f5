import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { positionAt } from '../../cypher/cypher-tokens';
import { type Expression, type Query } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';
import { type QueryFailure } from '../../graph-engine';
import { isText, parameterLiterals } from '../../literal';
import { areAll, isBoolean, isInteger, isLarge, literalOf, MAX_WRITTEN_ITEMS } from './parameter-literal';

/** Values that the binding passes to the engine. */
type EngineValue = string | number | boolean | (string | number | boolean | null)[];

/** Bound values, by the names of their parameters. */
export type EngineParameters = Readonly<Record<string, EngineValue>>;

/** How the parameters of a query are sent to the engine. */
export interface SentParameters {
  /** Expressions in the query in place of the others. */
  readonly written: ReadonlyMap<string, Expression>;
  readonly bound: EngineParameters;
}

/** The parameters and values of a query. */
interface AskedQuery {
  readonly text: string;
  readonly query: Query;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
}

/**
 * Binds each parameter whose value the binding passes unchanged, and writes the others into the query. `writeAll`: the
 * engine cannot compile the query without the values. Rejects missing parameters, values that cannot be written, and
 * too many items.
 */
export const sentParameters = (
  { text, query, parameters: names }: AskedQuery,
  parameters: Readonly<Record<string, unknown>>,
  writeAll: boolean,
): Either<QueryFailure, SentParameters> => {
  const items = itemsIn(query);
  const excess = items[MAX_WRITTEN_ITEMS];
  if (excess !== undefined) {
    return left({ kind: 'rejected', message: TOO_MANY_ITEMS, position: positionAt(text, excess.start) });
  }
  const bound = new Map<string, EngineValue>();
  for (const name of names) {
    const value = writeAll || !Object.hasOwn(parameters, name) ? null : boundValue(parameters[name]);
    if (value !== null) bound.set(name, value);
  }
  const written = parameterLiterals(
    names.filter((name) => !bound.has(name)),
    parameters,
    literalOf,
  );
  if (isLeft(written)) return refused(written.left);
  const longest = written.right.size === 0 ? null : longestOfTooMany(query, items.length, written.right);
  if (longest !== null) return refused(tooLong(longest));
  return right({ written: written.right, bound: Object.fromEntries(bound) });
};

const refused = (message: string): Either<QueryFailure, never> => left({ kind: 'rejected', message, position: null });

/** The items of lists, maps and calls. */
const itemsIn = (part: object): readonly Expression[] =>
  [...expressionsIn(part)].flatMap((value) => {
    if (value.kind === 'list') return value.items;
    if (value.kind === 'map') return value.entries.map((entry) => entry.value);
    return value.kind === 'call' ? value.arguments.slice(1) : [];
  });

/** The parameter with the most items if a query would have too many; otherwise null. */
const longestOfTooMany = (
  query: Query,
  itemsInQuery: number,
  written: ReadonlyMap<string, Expression>,
): string | null => {
  const counts = new Map([...written].map(([name, value]) => [name, itemsIn(value).length]));
  const places = [...expressionsIn(query)].flatMap((value) =>
    value.kind === 'parameter' ? { name: value.name, count: counts.get(value.name) ?? 0 } : [],
  );
  if (places.reduce((sum, { count }) => sum + count, itemsInQuery) <= MAX_WRITTEN_ITEMS) return null;
  const [longest] = [...places].sort((a, b) => b.count - a.count);
  return longest?.name ?? '';
};

const TOO_MANY_ITEMS =
  `A query can have ${MAX_WRITTEN_ITEMS} items of lists, maps and calls; this is one more. ` +
  'Send a long list as a parameter.';

const tooLong = (name: string): string =>
  `Parameter ${name} has too many items: lists and maps of a query can have ${MAX_WRITTEN_ITEMS} items in all. ` +
  'Flat lists of numbers, booleans or strings (first item not null) have no limit; if an aggregate uses items that are ' +
  'strings, write CAST(item AS STRING).';

/**
 * The value of a parameter that the binding passes exactly, or null: it converts `[]` to null, gives all items of a list
 * the type of the first, which must not be null, and floats without a fraction to integers, and rounds integers.
 */
const boundValue = (value: unknown): EngineValue | null => {
  if (!Array.isArray(value)) return isPlainText(value) || isBoolean(value) ? value : numberOf(value);
  if (value[0] === null) return null;
  if (areAll(value, isPlainText) || areAll(value, isBoolean)) return value;
  return areAll(value, isSmall) ? value.map((item) => (item === null ? null : Number(item))) : null;
};

const isPlainText = (value: unknown): value is string => typeof value === 'string' && isText(value);
const isSmall = (value: unknown): value is bigint => isInteger(value) && !isLarge(value);
const numberOf = (value: unknown): number | null => {
  if (isSmall(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value) ? value : null;
};
