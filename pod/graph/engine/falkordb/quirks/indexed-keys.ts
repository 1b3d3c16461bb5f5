import { and, call, conditionsOf, name, property, variable } from '../../cypher/build';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression, type MatchClause } from '../../cypher/tree';
import { changeClauses, changeExpressions, expressionsIn, namesIn, operandsOf } from '../../cypher/walk';
import { allProperties, type GraphProperty, type GraphSchema } from '../../graph-schema';
import { storageOf } from '../storage';

/**
 * The index on keys trims texts, omits empty and long ones, orders them case-insensitively, and compares integers as
 * doubles and booleans as numbers. So a condition that may use it is tested again without it, and only without it if the index may omit
 * matches.
 */
export const indexedKeys: Quirk = {
  id: 'falkordb-indexed-keys',
  description:
    'The index of keys trims strings, omits empty and long ones, and compares integers as doubles, booleans as numbers.',
  rewrite: (query, context) => {
    const keys = keysOf(context.schema);
    if (![...namesIn(query)].some((text) => keys.has(text))) return query;
    return changeClauses(query, (clause) => {
      if (clause.kind === 'match') return withExactMaps(clause, keys, context);
      return clause.kind === 'with' ? { ...clause, where: tested(clause.where, keys, context) } : clause;
    });
  },
};

interface Key {
  readonly isNumber: boolean;
  readonly isText: boolean;
  /** Whether a node has a key that the index does not find. */
  readonly isUnusual: boolean;
}

/** The keys of nodes by name. */
const keysOf = ({ nodeTables }: GraphSchema): ReadonlyMap<string, Key> => {
  const keys = new Map<string, Key>();
  for (const { primaryKey } of nodeTables) {
    const before = keys.get(primaryKey.name);
    const isNumber = hasNumbers(primaryKey) && before?.isNumber !== false;
    const isText = storageOf(primaryKey.type) === 'text' || before?.isText === true;
    const isUnusual = primaryKey.holds?.includes('unusual key') === true || before?.isUnusual === true;
    keys.set(primaryKey.name, { isNumber, isText, isUnusual });
  }
  return keys;
};

type Keys = ReadonlyMap<string, Key>;

/** The key read by an expression. */
const keyOf = (value: Expression, keys: Keys): Key | undefined =>
  value.kind === 'property' && value.of.kind === 'variable' ? keys.get(value.name.text) : undefined;

const tested = (where: Expression | null, keys: Keys, context: QuirkContext): Expression | null =>
  and(...conditionsOf(where).flatMap((condition) => withTest(condition, keys, context)));

/** A condition, combined with one that the index cannot answer if necessary. */
const withTest = (condition: Expression, keys: Keys, context: QuirkContext): readonly Expression[] => {
  const uses = [...expressionsIn(condition)].flatMap((value) => usesOf(value, keys));
  if (uses.length === 0) return [condition];
  if (!uses.every((use) => isFound(use, context))) return [withoutIndex(condition, keys)];
  const isExact = uses.every(({ key, others }) => key.isNumber && others.every((other) => isNumber(other, context)));
  return isExact ? [condition] : [condition, withoutIndex(condition, keys)];
};

/** Whether an operand is a number, or a list of numbers, in each row. */
const isNumber = (value: Expression, context: QuirkContext): boolean => {
  if (value.kind === 'list') return value.items.every((item) => isNumber(item, context));
  if (value.kind === 'parameter') return isNumberValue(context.parameters[value.name]);
  if (value.kind !== 'property') return value.kind === 'number';
  return allProperties(context.schema).every((property) => property.name !== value.name.text || hasNumbers(property));
};

const isNumberValue = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isNumberValue) : typeof value === 'number' || typeof value === 'bigint';

const hasNumbers = ({ type }: GraphProperty): boolean => /^(integer|double)$/.test(storageOf(type));

const withoutIndex = (condition: Expression, keys: Keys): Expression =>
  changeExpressions(condition, (value) =>
    keyOf(value, keys) === undefined ? value : call('coalesce', [value], value),
  );

/** A key that is compared with other values. */
interface Use {
  readonly key: Key;
  readonly operators: readonly string[];
  readonly others: readonly Expression[];
}

const usesOf = (value: Expression, keys: Keys): readonly Use[] => {
  if (value.kind !== 'comparison' && (value.kind !== 'binary' || value.operator !== 'IN')) return [];
  const operators = value.kind === 'binary' ? ['IN'] : value.rest.map(({ operator }) => operator);
  return operandsOf(value).flatMap((operand) => {
    const key = keyOf(operand, keys);
    return key === undefined
      ? []
      : [{ key, operators, others: operandsOf(value).filter((other) => other !== operand) }];
  });
};

/** Whether the index finds at least all keys for which a condition is true. */
const isFound = ({ key, operators, others }: Use, context: QuirkContext): boolean => {
  if (key.isText && operators.some((operator) => operator !== '=' && operator !== 'IN' && operator !== '<>'))
    return false;
  if (!key.isUnusual || (!key.isText && operators.every((operator) => operator === '='))) return true;
  return others.every((other) => isUsual(other, context));
};

/** Whether an operand is a constant that the index finds. */
const isUsual = (value: Expression, context: QuirkContext): boolean => {
  if (value.kind === 'parameter') return isUsualValue(context.parameters[value.name]);
  if (value.kind === 'number') return isUsualValue(Number(value.text));
  if (value.kind === 'list') return value.items.every((item) => isUsual(item, context));
  return value.kind === 'literal' && isUsualValue(value.value);
};

/** Number of characters of a text that the index keeps. */
const MAX_CHARACTERS = 1_000;

const isUsualValue = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isUsualValue);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value));
  if (typeof value !== 'string') return typeof value !== 'object' || value === null;
  return /^\S(?:.*\S)?$/s.test(value) && value.length <= MAX_CHARACTERS;
};

/** The properties of a pattern are conditions, too. */
const withExactMaps = (clause: MatchClause, keys: Keys, context: QuirkContext): MatchClause => {
  const conditions: Expression[] = [];
  const paths = clause.paths.map((path) => ({
    ...path,
    nodes: path.nodes.map((node) => {
      if (node.properties?.kind !== 'map' || !node.properties.entries.some(({ key }) => keys.has(key.text)))
        return node;
      const own = node.name ?? name(context.newName(), node);
      const tests = node.properties.entries.map((entry) => {
        const test = make('_1 = _2', entry.value, property(variable(own.text, own), entry.key.text), entry.value);
        const [first = test, ...more] = withTest(test, keys, context);
        return { entry, isKept: first === test, added: first === test ? more : [first] };
      });
      conditions.push(...tests.flatMap(({ added }) => added));
      const entries = tests.flatMap(({ entry, isKept }) => (isKept ? [entry] : []));
      return { ...node, name: own, properties: { ...node.properties, entries } };
    }),
  }));
  return { ...clause, paths, where: and(tested(clause.where, keys, context), ...conditions) };
};
