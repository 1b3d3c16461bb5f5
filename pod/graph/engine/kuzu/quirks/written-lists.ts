import { operandsOf } from '../../cypher/aggregates';
import { call, name, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type QuirkContext } from '../../cypher/quirk';
import { shape } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import {
  type Comprehension,
  type Expression,
  type IndexAccess,
  type Lambda,
  type Quantifier,
  type Reduction,
  type SliceAccess,
} from '../../cypher/tree';
import { common, UNKNOWN, type ValueType } from '../../cypher/value-type';
import { type TypeOf } from '../../cypher/value-types';
import { changeExpressions, expressionsIn } from '../../cypher/walk';

/** A literal integer; null for all else. */
const integerOf = (value: Expression | null): number | null => {
  if (value?.kind === 'unary' && value.operator === '-' && value.of.kind === 'number') return -Number(value.of.text);
  return value?.kind === 'number' && Number.isSafeInteger(Number(value.text)) ? Number(value.text) : null;
};

/** `list[0]`, and `node['name']`. */
export const writtenElement = (value: IndexAccess, of: ValueType): Expression => {
  const { at, start, end } = value;
  if (at.kind === 'literal' && typeof at.value === 'string') {
    return { kind: 'property', of: value.of, name: name(at.value, at), start, end };
  }
  const isList = of.kind === 'list' || of.kind === 'unknown' || of.kind === 'null';
  if (!isList) throw new QueryFault(`Only lists have elements with numbers, and this is a ${of.kind}.`, value.of.start);
  const index = integerOf(at);
  if (index !== null) {
    const [place, least] = index < 0 ? [index, -index] : [index + 1, index + 1];
    return make(`list_extract(_1, CASE WHEN size(_1) >= ${least} THEN ${place} END)`, value, value.of);
  }
  const place = 'CASE WHEN _2 >= 0 AND _2 < size(_1) THEN _2 + 1 WHEN _2 < 0 AND _2 >= -size(_1) THEN _2 END';
  return make(`list_extract(_1, ${place})`, value, value.of, at);
};

/** `list[1..3]`: from the second to the third element. A colon is the engine's own: from the first to the third. */
export const writtenSlice = (value: SliceAccess): Expression => {
  if (value.separator === ':') return value;
  const bound = (
    part: Expression | null,
    missing: number,
    text: string,
    known: (index: number) => number,
  ): Expression => {
    const index = part === null ? missing : integerOf(part);
    if (part === null) return make(`${missing}`, value);
    return index === null ? make(text, part, part) : make(`${known(index)}`, part);
  };
  const from = bound(value.from, 1, 'CASE WHEN _1 >= 0 THEN _1 + 1 ELSE _1 END', (index) =>
    index < 0 ? index : index + 1,
  );
  const to = bound(value.to, -1, 'CASE WHEN _1 < 0 THEN _1 - 1 ELSE _1 END', (index) =>
    index < 0 ? index - 1 : index,
  );
  return make('list_slice(_1, _2, _3)', value, value.of, from, to);
};

/** The engine knows a name of a lambda only once. */
const renamed = (value: Expression, from: string, to: string): Expression =>
  changeExpressions(value, (inner) => (inner.kind === 'variable' && inner.name === from ? variable(to, inner) : inner));

const lambda = (value: Expression, ...names: readonly string[]): Lambda => ({
  kind: 'lambda',
  names: names.map((text) => name(text, value)),
  value,
  start: value.start,
  end: value.end,
});

export const renamedQuantifier = (value: Quantifier, local: string): Quantifier => ({
  ...value,
  name: name(local, value.name),
  where: value.where === null ? null : renamed(value.where, value.name.text, local),
});

export const writtenComprehension = (value: Comprehension, local: string): Expression => {
  const inside = (part: Expression): Lambda => lambda(renamed(part, value.name.text, local), local);
  const kept = value.where === null ? value.list : call('list_filter', [value.list, inside(value.where)], value);
  return value.value === null ? kept : call('list_transform', [kept, inside(withOwnFields(value.value))], value);
};

/** In a map, the engine gives what is just the name of the lambda the value of another item. */
const withOwnFields = (value: Expression): Expression => {
  const own = (part: Expression): Expression =>
    part.kind === 'variable' ? call('coalesce', [part, part], part) : part;
  return changeExpressions(value, (inner) => {
    if (inner.kind !== 'map') return inner;
    return { ...inner, entries: inner.entries.map((entry) => ({ ...entry, value: own(entry.value) })) };
  });
};

/** The engine's lists have one type, and its reduction makes values of that type: other items are made of them before. */
export const writtenReduction = (
  value: Reduction,
  original: Reduction,
  typeOf: TypeOf,
  { newName }: QuirkContext,
): Expression => {
  const [sum, local, part] = [newName(), newName(), newName()];
  const list = typeOf(original.list);
  const item = list.kind === 'list' ? list.item : UNKNOWN;
  const [initial, result] = [typeOf(original.initial), typeOf(original.value)];
  const made = itemsOf(value.value, value.sum.text, value.name.text);
  const madeOf = itemsOf(original.value, value.sum.text, value.name.text);
  const isMade = made !== null && madeOf !== null && made.kind !== 'variable';
  const used = isMade ? typeOf(madeOf) : item;
  const all = [used, initial, result];
  const needed = all.reduce(common);
  if (needed.kind === 'unknown' && all.every(({ kind }) => kind !== 'unknown')) {
    throw new QueryFault(
      'reduce needs items, an initial value and results of one type on this kind of instance: convert the items by a list comprehension.',
      value.start,
    );
  }
  const items = isMade
    ? call('list_transform', [value.list, lambda(renamed(made, value.name.text, local), local)], value)
    : value.list;
  const body = isMade
    ? replaced(value.value, shape(made), variable(part, value))
    : renamed(value.value, value.name.text, part);
  const isNumber = needed.kind === 'float' && all.some(({ kind }) => kind !== 'float');
  const cast = isNumber ? 'list_prepend(CAST(_1 AS DOUBLE[]), CAST(_2 AS DOUBLE))' : 'list_prepend(_1, _2)';
  const fold = lambda(renamed(body, value.sum.text, sum), sum, part);
  return call('list_reduce', [make(cast, value, items, value.initial), fold], value);
};

const replaced = (value: Expression, what: string, by: Expression): Expression =>
  changeExpressions(value, (inner) => (shape(inner) === what ? by : inner));

/** The one part of a reduction that is made of the item and not of the sum; null if there are several. */
const itemsOf = (value: Expression, sum: string, local: string): Expression | null => {
  const uses = (inner: Expression, text: string): boolean =>
    [...expressionsIn(inner)].some((each) => each.kind === 'variable' && each.name === text);
  const partsIn = (inner: Expression): readonly Expression[] => {
    if (!uses(inner, local)) return [];
    return uses(inner, sum) ? operandsOf(inner).flatMap(partsIn) : [inner];
  };
  const [first, ...others] = partsIn(value);
  return first !== undefined && others.every((other) => shape(other) === shape(first)) ? first : null;
};
