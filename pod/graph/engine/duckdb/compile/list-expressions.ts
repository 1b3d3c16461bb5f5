import {
  type Comprehension,
  type Expression,
  type IndexAccess,
  type Quantifier,
  type Reduction,
  type SliceAccess,
} from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';
import { allOf, every, some } from './comparison';
import { compileCondition } from './condition';
import { type Frame, NeedsRows } from './frame';
import { converted } from './json-text';
import { mappedList, usedOnce } from './list-map';
import { mappedCode } from './literal';
import { propertyByName, propertyOf } from './map-expressions';
import { BOOLEAN, NULL, simple, sqlTypeName, type Type, typed, unify, type Value } from './type';

export const element = (value: IndexAccess, frame: Frame): Value => {
  const of = frame.expression(value.of);
  const name = frame.context.textOf(value.at);
  if (name !== null) return propertyOf(of, name, value, frame);
  const at = frame.expression(value.at);
  if (of.type.kind === 'null' || at.type.kind === 'null') return NULL;
  const property = at.type.kind === 'text' ? propertyByName(of, at, value, frame) : null;
  if (property !== null) return property;
  if (of.type.kind !== 'list' || at.type.kind !== 'integer')
    return frame.context.refuse(
      'Write the name of the property, or a list and an integer: list[0]; for a text, substring(…).',
      value,
    );
  const { item } = of.type;
  if (/^\d+::BIGINT$/.test(at.sql)) return typed(item, `${of.sql}[${BigInt(at.sql.replace('::BIGINT', '')) + 1n}]`);
  return typed(
    item,
    usedOnce(at, frame, ({ sql }) => `${of.sql}[CASE WHEN ${sql} >= 0 THEN ${sql} + 1 ELSE ${sql} END]`),
  );
};

/** Bounds count from 0, or from the end if they are negative; the second one is not included. */
export const slice = ({ of, from, to, ...at }: SliceAccess, frame: Frame): Value => {
  const whole = frame.expression(of);
  const bounds = [from, to].map((bound) => (bound === null ? null : frame.expression(bound)));
  if (whole.type.kind === 'null' || bounds.some((bound) => bound?.type.kind === 'null')) return NULL;
  const isValid = bounds.every((bound) => bound === null || bound.type.kind === 'integer');
  if (whole.type.kind !== 'list' || !isValid)
    return frame.context.refuse('A slice needs a list and integers; write substring(…) for a text.', at);
  const [first = null, last = null] = bounds;
  const sql = usedOnce(whole, frame, ({ sql: all }) => {
    const place = (bound: Value): string =>
      usedOnce(
        bound,
        frame,
        ({ sql: count }) => `greatest(CASE WHEN ${count} < 0 THEN len(${all}) + ${count} ELSE ${count} END, 0)`,
      );
    const isNull = [first, last].flatMap((bound) => (bound === null ? [] : [`${bound.sql} IS NULL`]));
    const begin = first === null ? '1' : `${place(first)} + 1`;
    const end = last === null ? `len(${all})` : place(last);
    const cut = `list_slice(${all}, ${begin}, ${end})`;
    return isNull.length === 0 ? cut : `CASE WHEN NOT (${isNull.join(' OR ')}) THEN ${cut} END`;
  });
  return { sql, type: whole.type };
};

const withItem = (inside: Frame, name: string, item: Value): Frame => {
  inside.variables = new Map([...inside.variables, [name, item]]);
  return inside;
};

export const comprehension = ({ name, list: of, where, value }: Comprehension, frame: Frame): Value => {
  const items = frame.expression(of);
  if (items.type.kind === 'null') return NULL;
  if (items.type.kind !== 'list') return frame.context.refuse('IN needs a list here.', of);
  return mappedList(items, frame, (item, inside) => {
    const local = withItem(inside, name.text, item);
    const { sql, type } = value === null ? item : local.expression(value);
    return { sql, type, ...(where === null ? {} : { condition: compileCondition(where, local) }) };
  });
};

export const quantifier = ({ which, name, list: of, where, ...at }: Quantifier, frame: Frame): string => {
  if (where === null) return frame.context.refuse(`${which} needs WHERE and a condition.`, at);
  const items = frame.expression(of);
  if (items.type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  if (items.type.kind !== 'list') return frame.context.refuse('IN needs a list here.', of);
  const { parts } = items;
  if (parts !== undefined && which !== 'SINGLE') {
    const conditions = parts.map((part) => {
      const inside = frame.isLambda ? frame.lambda(new Map()) : frame;
      const before = inside.variables;
      const condition = compileCondition(where, withItem(inside, name.text, part));
      inside.variables = before;
      return condition;
    });
    if (which === 'ALL') return allOf(conditions);
    const any = conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`;
    return which === 'ANY' ? any : `(NOT ${any})`;
  }
  const truths = mappedList(items, frame, (item, inside) =>
    typed(BOOLEAN, compileCondition(where, withItem(inside, name.text, item))),
  );
  if (which === 'ALL') return every(truths.sql, frame);
  if (which === 'ANY') return some(truths.sql, frame);
  if (which === 'NONE') return `(NOT ${some(truths.sql, frame)})`;
  return usedOnce(truths, frame, ({ sql }) => {
    const count = `len(list_filter(${sql}, lambda y: y))`;
    const rest = `CASE WHEN list_count(${sql}) < len(${sql}) THEN NULL WHEN ${sql} IS NOT NULL THEN ${count} = 1 END`;
    return `CASE WHEN ${count} > 1 THEN false ELSE ${rest} END`;
  });
};

const MAX_TYPE_CHANGES = 4;

/** Both arguments of DuckDB's function need the type of the list's items, so an item is a struct with the sum. */
export const reduction = (written: Reduction, frame: Frame): Value => {
  const { sum, initial, name, list: of, value, ...at } = written;
  const [start, items] = [frame.expression(initial), frame.expression(of)];
  if (items.type.kind === 'null') return NULL;
  if (items.type.kind !== 'list') return frame.context.refuse('IN needs a list here.', of);
  const { item } = items.type;
  const names = [frame.context.name('x'), frame.context.name('x')] as const;
  let type: Type = start.type;
  for (let change = 0; change < MAX_TYPE_CHANGES; change++) {
    const inside = frame.lambda(new Map());
    withItem(inside, sum.text, simple(type, `${names[0]}.s`));
    withItem(inside, name.text, simple(item, `${names[1]}.i`));
    let next: Value;
    try {
      next = inside.expression(value);
    } catch (error) {
      if (!(error instanceof NeedsRows)) throw error;
      const ofValues = /^(node|relationship)$/.test(item.kind) ? withListOfValues(written) : null;
      if (ofValues !== null) return reduction(ofValues, frame);
      return frame.context.refuse('reduce cannot read the graph; name the values of its items by a list before.', at);
    }
    const result = unify(type, next.type);
    if (result.kind === 'any') break;
    if (JSON.stringify(result) === JSON.stringify(type)) {
      const [sumType, itemSql] = [sqlTypeName(type), sqlTypeName(item)];
      const captured = new Map<string, string>();
      const sumText = withCaptured(`CAST(${converted(next, type, inside)} AS ${sumType})`, names, captured);
      const others = [...captured].map(([column, field]) => `, '${field}': ${column}`).join('');
      const kept = [...captured.values()].map((field) => `, '${field}': ${names[0]}.${field}`).join('');
      const y = frame.context.name('x');
      const pairs = `list_transform(${items.sql}, lambda ${y}: {'s': CAST(NULL AS ${sumType}), 'i': ${y}${others}})`;
      const body = `{'s': ${sumText}, 'i': CAST(NULL AS ${itemSql})${kept}}`;
      const first = `{'s': CAST(${converted(start, type, frame)} AS ${sumType}), 'i': CAST(NULL AS ${itemSql})${others}}`;
      const reduced = `list_reduce(${pairs}, lambda ${names.join(', ')}: ${body}, ${first}).s`;
      return { sql: frame.local(reduced), type };
    }
    type = result;
  }
  return frame.context.refuse('The type of this reduce changes from item to item; use toFloat(…) or toString(…).', at);
};

/** `reduce(… x IN list | … x.w …)` over `[x IN list | {w: x.w}]`; null if it uses more than properties of its items. */
const withListOfValues = (written: Reduction): Reduction | null => {
  const { name, list: of, value } = written;
  const isItem = (part: Expression): boolean => part.kind === 'variable' && part.name === name.text;
  const parts = expressionsIn(value);
  const read = parts.flatMap((part) => (part.kind === 'property' && isItem(part.of) ? [part] : []));
  if (read.length === 0 || read.length < parts.filter(isItem).length) return null;
  const place = { start: of.start, end: of.end };
  const entries = [...new Map(read.map((part) => [part.name.text, { key: part.name, value: part }])).values()];
  const values = { kind: 'map', entries, ...place } as const;
  return { ...written, list: { kind: 'comprehension', name, list: of, where: null, value: values, ...place } };
};

/**
 * The text of a lambda's body that reads columns and outer names from its first argument: list_reduce of DuckDB 1.5
 * mixes the rows of columns in its lambda. `captured`: the fields by the text of their values. Names such as f0 are of
 * fields only.
 */
const withCaptured = (body: string, names: readonly string[], captured: Map<string, string>): string => {
  const inner = new Set([
    ...names,
    ...[...body.matchAll(/lambda ([\w, ]+):/g)].flatMap(([, list = '']) => list.split(', ')),
  ]);
  return mappedCode(body, (code) =>
    code.replaceAll(/(?<![.\w])([a-eg-z]\d+)(\.\w+)?/g, (text, name: string, access = '') => {
      if (inner.has(name)) return text;
      const isLocal = name.startsWith('x');
      const value = isLocal ? name : text;
      const field = captured.get(value) ?? `o${captured.size}`;
      captured.set(value, field);
      return `${names[0]}.${field}${isLocal ? access : ''}`;
    }),
  );
};
