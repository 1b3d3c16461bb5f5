import { and, call, conditionsOf } from '../../cypher/build';
import { type Cure, type CureContext } from '../../cypher/cure';
import { type TypeOf } from '../../cypher/expression-types';
import { valueTypes } from '../../cypher/scopes';
import { type Expression } from '../../cypher/tree';
import { itemType } from '../../cypher/value-type';
import { changeClauses, changeExpressions, expressionsIn, namesIn, operandsOf } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';
import { storageOf } from '../storage';

/**
 * The index on keys trims texts, omits empty and long ones, orders them case-insensitively, and compares integers as
 * doubles and booleans as numbers. So a condition that may use it is tested again without it, and only without it if
 * the index may omit matches.
 */
export const indexedKeys: Cure = (query, context) => {
  const keys = keysOf(context.schema);
  if (![...namesIn(query)].some((text) => keys.has(text))) return query;
  const typeOf = valueTypes(query, context.schema);
  return changeClauses(query, (clause) => {
    if (clause.kind !== 'match' && clause.kind !== 'with') return clause;
    const conditions = conditionsOf(clause.where).flatMap((each) => withTest(each, keys, typeOf, context));
    return { ...clause, where: and(...conditions) };
  });
};

interface Key {
  readonly isText: boolean;
  /** Whether a node has a key that the index may not find. */
  readonly isUnusual: boolean;
}

/** The keys of nodes by name. */
const keysOf = ({ nodeTables }: GraphSchema): ReadonlyMap<string, Key> => {
  const keys = new Map<string, Key>();
  for (const { primaryKey } of nodeTables) {
    const before = keys.get(primaryKey.name);
    const isText = storageOf(primaryKey.type) === 'text' || before?.isText === true;
    const isUnusual = primaryKey.holds?.includes('unusual key') === true || before?.isUnusual === true;
    keys.set(primaryKey.name, { isText, isUnusual });
  }
  return keys;
};

type Keys = ReadonlyMap<string, Key>;

/** The key read by an expression. */
const keyOf = (value: Expression, keys: Keys): Key | undefined =>
  value.kind === 'property' && value.of.kind === 'variable' ? keys.get(value.name.text) : undefined;

/** A condition, combined with one that the index cannot answer if necessary. */
const withTest = (condition: Expression, keys: Keys, typeOf: TypeOf, context: CureContext): readonly Expression[] => {
  const uses = expressionsIn(condition).flatMap((value) => usesOf(value, keys));
  if (uses.every((use) => isExact(use, typeOf))) return [condition];
  const tested = changeExpressions(condition, (value) =>
    keyOf(value, keys) === undefined ? value : call('coalesce', [value], value),
  );
  return uses.every((use) => isFound(use, context)) ? [condition, tested] : [tested];
};

/** A key that is compared with other values. */
interface Use {
  readonly key: Key;
  readonly isEquality: boolean;
  readonly others: readonly Expression[];
}

const usesOf = (value: Expression, keys: Keys): readonly Use[] => {
  if (value.kind !== 'comparison' && (value.kind !== 'binary' || value.operator !== 'IN')) return [];
  const isEquality = value.kind === 'binary' || value.rest.every(({ operator }) => operator === '=');
  return operandsOf(value).flatMap((operand) => {
    const key = keyOf(operand, keys);
    const others = operandsOf(value).filter((other) => other !== operand);
    return key === undefined ? [] : [{ key, isEquality, others }];
  });
};

/** Whether the index finds exactly the keys for which a comparison is true: numbers that a float can hold. */
const isExact = ({ key, others }: Use, typeOf: TypeOf): boolean =>
  !key.isText &&
  !key.isUnusual &&
  others.every((other) => other.kind !== 'parameter' && /^(integer|float)$/.test(itemType(typeOf(other)).kind));

/** Whether the index finds at least all keys for which a comparison is true. */
const isFound = ({ key, isEquality, others }: Use, context: CureContext): boolean => {
  if (!isEquality && key.isText) return false;
  return !key.isUnusual || (isEquality && !key.isText) || others.every((other) => isUsual(other, context));
};

/** Whether an operand is a constant that the index finds. */
const isUsual = (value: Expression, context: CureContext): boolean => {
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
