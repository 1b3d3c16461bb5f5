import { type Expression, type MapProjection } from '../../cypher/tree';
import { partOfDuration } from './duration-parts';
import { type Frame, isEntity, type Variable } from './frame';
import { converted, jsonText, objectOfValues, orNull } from './json-text';
import { textLiteral } from './literal';
import { partOfTime, propertyOfEntity } from './property';
import { ANY, type EntityType, isZoned, keysOf, listOf, NULL, typed, unify, type Value } from './type';

export const list = (items: readonly Value[], frame: Frame): Value => {
  const type = items.map((item) => item.type).reduce(unify, NULL.type);
  const texts = items.map((item) => converted(item, type, frame));
  const parts = items.map((item, at) =>
    type.kind === 'any' ? { ...item, sql: texts[at] ?? '', type: item.type.kind === 'null' ? item.type : type } : item,
  );
  return {
    sql: texts.length === 0 ? 'CAST([] AS VARCHAR[])' : `[${texts.join(', ')}]`,
    type: listOf(type),
    parts,
    isSimple: items.length === 0,
  };
};

export const map = (entries: readonly (readonly [string, Value])[]): Value => {
  // The last of several equal keys counts.
  const fields = [...new Map(entries)];
  const texts = fields.map(([, value], at) => `'f${at}': ${value.sql}`);
  return {
    sql: fields.length === 0 ? `{'f0': CAST(NULL AS BOOLEAN)}` : `{${texts.join(', ')}}`,
    type: { kind: 'map', fields: fields.map(([name, { type }]) => ({ name, type })) },
    parts: fields.map(([, value]) => value),
  };
};

export const mapProjection = (value: MapProjection, frame: Frame): Value => {
  const { context } = frame;
  const of = frame.variable(value.of.text) ?? context.refuse(`Unknown name ${value.of.text}.`, value.of);
  if (of.type.kind === 'null') return NULL;
  const entries = value.items.flatMap((item): readonly (readonly [string, Value])[] => {
    switch (item.kind) {
      case 'property':
        return [[item.name.text, propertyOf(of, item.name.text, value, frame)]];
      case 'variable':
        return [[item.name.text, frame.variable(item.name.text) ?? NULL]];
      case 'entry':
        return [[item.entry.key.text, frame.expression(item.entry.value)]];
      case 'all':
        return isEntity(of.type) ? [] : context.refuse('Write the properties one by one: {.name, .age}.', value);
    }
  });
  const hasAll = value.items.some(({ kind }) => kind === 'all');
  const { sql, type, parts } = hasAll ? allProperties(of, entries, value, frame) : map(entries);
  if (of.isCertain === true) return { sql, type, ...(parts === undefined ? {} : { parts }) };
  return { sql: `CASE WHEN ${of.sql} IS NOT NULL THEN ${sql} END`, type };
};

/** JSON text, because the properties that are null are missing. */
const allProperties = (
  of: Variable,
  entries: readonly (readonly [string, Value])[],
  at: MapProjection,
  frame: Frame,
): Value => {
  const { type } = of;
  if (!isEntity(type)) return frame.context.refuse('.* needs a node or a relationship.', at);
  const chosen = new Map(entries);
  const stored = storedNames(type, frame)
    .filter((name) => !chosen.has(name))
    .map((name) => [name, propertyOfEntity(of, type, name, frame)] as const);
  const others = [...chosen].map(([name, value]) => [name, typed(ANY, orNull(jsonText(value, frame)))] as const);
  return typed(ANY, objectOfValues([...stored, ...others], frame));
};

const storedNames = ({ kind, tables }: EntityType, { context }: Frame): readonly string[] => [
  ...new Set(tables.flatMap((table) => context.storedColumns(kind, table).map(({ name }) => name))),
];

/** `n[key]`; null if a value of this type has no properties with known names. */
export const propertyByName = (given: Value, key: Value, at: Expression, frame: Frame): Value | null => {
  if (given.type.kind === 'stored_map' && given.type.key.kind === 'text')
    return typed(given.type.value, `(${given.sql})[${key.sql}]`);
  if (given.type.kind !== 'map' && !isEntity(given.type)) return null;
  const of = isEntity(given.type) || given.isSimple === true ? given : frame.column(given);
  const names = given.type.kind === 'map' ? keysOf(given.type.fields) : storedNames(given.type, frame);
  const values = names.map((name) => propertyOf(of, name, at, frame));
  const type = values.map((value) => value.type).reduce(unify, NULL.type);
  const cases = values.map(
    (value, index) => `WHEN ${textLiteral(names[index] ?? '')} THEN ${converted(value, type, frame)}`,
  );
  return cases.length === 0 ? NULL : typed(type, `CASE ${key.sql} ${cases.join(' ')} END`);
};

export const propertyOf = (of: Value, name: string, at: Expression, frame: Frame): Value => {
  const { type } = of;
  if (type.kind === 'null') return NULL;
  if (isEntity(type)) return propertyOfEntity(of, type, name, frame);
  if (type.kind === 'map') {
    const place = type.fields.findIndex((field) => field.name === name);
    const field = type.fields[place];
    if (field === undefined) return NULL;
    const sql = `struct_extract(${of.sql}, 'f${place}')`;
    return of.parts?.[place] ?? { sql, type: field.type, isSimple: of.isSimple === true };
  }
  if (type.kind === 'stored_map' && type.key.kind === 'text')
    return typed(type.value, `(${of.sql})[${textLiteral(name)}]`);
  const part =
    type.kind === 'duration'
      ? partOfDuration(of, name, frame)
      : (type.kind === 'date' || type.kind === 'timestamp') && !isZoned(type)
        ? partOfTime(of, name, frame)
        : null;
  const advice =
    type.kind === 'any'
      ? 'it has several types, or is a map of all properties; choose properties before, as n {.name}'
      : /^(date|timestamp)$/.test(type.kind)
        ? 'write year, quarter, month, week, day, dayOfWeek or ordinalDay'
        : `its type is ${type.kind}; if a column has the name of a node, give the column another one by AS`;
  return part ?? frame.context.refuse(`The property ${name} of this value is not possible here: ${advice}.`, at);
};
