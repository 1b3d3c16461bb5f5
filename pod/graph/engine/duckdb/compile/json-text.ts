import { dayText, finiteText } from '../../../duckdb/day-text';
import { sqlString } from '../../../duckdb/duckdb-session';
import { QueryFault } from '../../cypher/query-fault';
import { ROW_MASK } from '../storage';
import { hasTags, withoutTags, withTag } from './any-value';
import { durationText } from './duration-parts';
import { valueOfRow } from './entity';
import { type Frame } from './frame';
import { mappedList, usedOnce } from './list-map';
import { textLiteral } from './literal';
import { textValue } from './text-value';
import {
  ANY,
  type EntityType,
  hasDifferentKeys,
  KEYS,
  keysOf,
  listOf,
  NULL,
  simple,
  sqlTypeName,
  TEXT,
  type Type,
  typed,
  unify,
  type Value,
} from './type';

const NOWHERE = { start: 0, end: 0 };

/** The JSON text of a value, as in answers; SQL null for null. */
export const jsonText = (value: Value, frame: Frame): string => {
  const { type, sql, parts } = value;
  switch (type.kind) {
    case 'any':
      return withoutTags(value);
    case 'null':
      return sql;
    case 'boolean':
    case 'integer':
      return `CAST(${sql} AS VARCHAR)`;
    case 'float':
      return usedOnce(value, frame, floatText);
    case 'text':
      return `CAST(to_json(${sql}) AS VARCHAR)`;
    case 'uuid':
      return `('"' || CAST(${sql} AS VARCHAR) || '"')`;
    case 'blob':
      return `('"' || base64(${sql}) || '"')`;
    case 'date':
      return usedOnce(value, frame, dateText);
    case 'timestamp':
      if (type.isLocal === true) return `('"' || ${textValue(value, frame, NOWHERE)} || '"')`;
      if (type.isConstant === true)
        throw new QueryFault(
          'A time of the query cannot be a column beside the graph: write toString(…) around it.',
          0,
        );
      return usedOnce(value, frame, timestampText);
    case 'duration':
      return `('"' || ${durationText(value, frame)} || '"')`;
    case 'list':
      return listText(value, frame, jsonText);
    case 'map':
      if (parts !== undefined)
        return mapText(
          type.fields.map(({ name }, at) => [name, parts[at] ?? value]),
          frame,
        );
      return usedOnce(value, frame, ({ sql: map }) => {
        const fields = type.fields.map((field, at) => [field.name, simple(field.type, `${map}.f${at}`)] as const);
        const text = hasDifferentKeys(type) ? textOfPresent(fields, frame) : mapText(fields, frame);
        return `CASE WHEN ${map} IS NOT NULL THEN ${text} END`;
      });
    case 'stored_map': {
      const texts = mappedList(typed(listOf(type), `map_entries(${sql})`), frame, ({ sql: entry }, inside) => {
        const key = simple(type.key, `${entry}.key`);
        const keyText = type.key.kind === 'text' ? key.sql : `trim(${jsonText(key, inside)}, '"')`;
        const text = jsonText(simple(type.value, `${entry}.value`), inside);
        return typed(TEXT, `CAST(to_json(${keyText}) AS VARCHAR) || ':' || ${orNull(text)}`);
      });
      return `('{' || array_to_string(${texts.sql}, ',') || '}')`;
    }
    case 'node':
    case 'relationship':
      return entityText(value, type, frame);
    case 'path':
      return pathText(value, type, frame);
  }
};

export const orNull = (json: string): string => `coalesce(${json}, 'null')`;

const floatText = ({ sql, type }: Value): string => {
  const number = `regexp_replace(CAST(to_json(${sql} + 0.0) AS VARCHAR), '\\.0$', '')`;
  const isFinite = `isfinite(${sql})`;
  const other = `'"' || CAST(to_json(${sql}) AS VARCHAR) || '"'`;
  return type.kind === 'float' ? `CASE WHEN ${isFinite} THEN ${number} ELSE ${other} END` : number;
};

const dateText = ({ sql }: Value): string => `('"' || ${finiteText(sql, dayText(sql))} || '"')`;

/** Milliseconds always, microseconds if they are not zero. */
const timestampText = ({ sql }: Value): string => {
  const digits = `CASE WHEN microsecond(${sql}) % 1000 = 0 THEN strftime(${sql}, 'T%H:%M:%S.%g') ELSE rtrim(strftime(${sql}, 'T%H:%M:%S.%f'), '0') END`;
  return `('"' || ${finiteText(sql, `${dayText(sql)} || ${digits} || 'Z'`)} || '"')`;
};

const listText = (list: Value, frame: Frame, textOf: typeof jsonText): string => {
  if (list.parts !== undefined && list.parts.length <= MAX_WRITTEN_ITEMS) {
    const items = list.parts.map((part) => orNull(textOf(part, frame)));
    return items.length === 0 ? `'[]'` : `('[' || ${items.join(` || ',' || `)} || ']')`;
  }
  const texts = mappedList(list, frame, (item, inside) => typed(TEXT, orNull(textOf(item, inside))));
  return `('[' || array_to_string(${texts.sql}, ',') || ']')`;
};

const MAX_WRITTEN_ITEMS = 100;

const mapText = (fields: readonly (readonly [string, Value])[], frame: Frame): string => {
  const texts = fields.map(([name, value], at) => {
    const head = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    return `${sqlString(head)} || ${orNull(jsonText(value, frame))}`;
  });
  return texts.length === 0 ? `'{}'` : `(${texts.join(' || ')} || '}')`;
};

/** A JSON object of the fields that a map has. */
const textOfPresent = (fields: readonly (readonly [string, Value])[], frame: Frame): string => {
  const keys = fields.find(([name]) => name === KEYS)?.[1].sql ?? '';
  const members = fields
    .filter(([name]) => name !== KEYS)
    .map(([name, value]) => {
      const member = `${sqlString(`${JSON.stringify(name)}:`)} || ${orNull(jsonText(value, frame))}`;
      return `CASE WHEN list_contains(${keys}, ${textLiteral(name)}) THEN ${member} END`;
    });
  return `('{' || concat_ws(',', ${members.join(', ')}) || '}')`;
};

/** A JSON object of the values that are not null. */
export const objectOfValues = (fields: readonly (readonly [string, Value])[], frame: Frame): string => {
  const members = fields.map(
    ([name, value]) => `(${sqlString(`${JSON.stringify(name)}:`)} || ${jsonText(value, frame)})`,
  );
  return `('{' || ${members.length === 0 ? "''" : `concat_ws(',', ${members.join(', ')})`} || '}')`;
};

/** `{"_id": …, "_label": …}` with all properties. */
const entityText = (entity: Value, type: EntityType, frame: Frame): string =>
  valueOfRow(entity, type, frame, 'text', ({ table, alias, id }, inside) =>
    type.kind === 'node' ? nodeText(table, alias, inside) : relationshipText(table, alias, id, inside),
  );

const nodeText = (table: number, alias: string, frame: Frame): string =>
  mapText(
    [
      ['_id', typed(ANY, nodeIdText(table, alias, frame))],
      ['_label', typed(TEXT, sqlString(frame.context.tableName('node', table)))],
      ...storedValues('node', table, alias, frame),
    ],
    frame,
  );

/** The JSON text of `Label:key`. */
export const nodeIdText = (table: number, alias: string, frame: Frame): string => {
  const [[, key] = ['', undefined]] = storedValues('node', table, alias, frame);
  if (key === undefined) return 'NULL';
  const text = key.type.kind === 'text' ? key.sql : `trim(${jsonText(key, frame)}, '"')`;
  return `CAST(to_json(${sqlString(`${frame.context.tableName('node', table)}:`)} || ${text}) AS VARCHAR)`;
};

/** `TYPE:number`. */
export const relationshipId = (table: number, id: string, { context }: Frame): string =>
  `${sqlString(`${context.tableName('relationship', table)}:`)} || CAST(${id} & ${ROW_MASK} AS VARCHAR)`;

const relationshipText = (table: number, alias: string, id: string, frame: Frame): string => {
  const edge = frame.context.schema.edgeTables[table];
  const ends = (
    [
      [edge?.fromNode, '_from'],
      [edge?.toNode, '_to'],
    ] as const
  ).map(([label, column]) => {
    const node = frame.context.schema.nodeTables.findIndex((each) => each.label === label);
    return typed(ANY, nodeIdText(node, frame.row(`${alias}.${column}`, 'node', node, false), frame));
  });
  const [start = NULL, end = NULL] = ends;
  return mapText(
    [
      ['_id', typed(TEXT, relationshipId(table, id, frame))],
      ['_type', typed(TEXT, sqlString(frame.context.tableName('relationship', table)))],
      ['_start', start],
      ['_end', end],
      ['_src', start],
      ['_dst', end],
      ...storedValues('relationship', table, alias, frame),
    ],
    frame,
  );
};

/** The names and values of the properties of a row. */
export const storedValues = (
  kind: 'node' | 'relationship',
  table: number,
  alias: string,
  { context }: Frame,
): readonly (readonly [string, Value])[] =>
  context
    .storedColumns(kind, table)
    .map(({ name, column, type }) => [name, simple(type, `${alias}.${column}`)] as const);

/** An array of nodes and relationships in turn. */
const pathText = (
  path: Value,
  { nodes: nodeTables, relationships }: Extract<Type, { readonly kind: 'path' }>,
  frame: Frame,
): string => {
  const column = frame.isLambda ? path : frame.column(path);
  const texts = (part: 'n' | 'r', item: Type): string =>
    mappedList(simple(listOf(item), `${column.sql}.${part}`), frame, (each, inside) =>
      typed(TEXT, jsonText(each, inside)),
    ).sql;
  const [nodes, edges] = [
    texts('n', { kind: 'node', tables: nodeTables }),
    texts('r', { kind: 'relationship', tables: relationships }),
  ];
  return usedOnce(typed(listOf(listOf(TEXT)), `[${nodes}, ${edges}]`), frame, ({ sql }) => {
    const at = frame.context.name('x');
    const pairs = `list_transform(range(1, len(${sql}[1]) + 1), lambda ${at}: concat_ws(',', ${sql}[1][${at}], ${sql}[2][${at}]))`;
    return `CASE WHEN ${sql}[1] IS NOT NULL THEN '[' || array_to_string(${pairs}, ',') || ']' END`;
  });
};

/** A value as one of several types. */
export const anyText = (value: Value, frame: Frame): string => {
  const { type, sql } = value;
  if (type.kind === 'any') return sql;
  if (!hasTags(type)) return jsonText(value, frame);
  if (type.kind === 'list') return listText(value, frame, anyText);
  return usedOnce(value, frame, (one) => withTag(one, jsonText(one, frame)));
};

const textList = (names: readonly string[]): string =>
  `CAST([${[...names].sort().map(textLiteral).join(', ')}] AS VARCHAR[])`;

/** A value as one of a type that can hold it. */
export const converted = (value: Value, to: Type, frame: Frame): string => {
  const { type, sql } = value;
  if (type.kind === 'null') return `CAST(NULL AS ${sqlTypeName(to)})`;
  if (to.kind === 'any') return anyText(value, frame);
  if (type.kind === 'integer' && to.kind === 'float') return `CAST(${sql} AS DOUBLE)`;
  if (type.kind === 'list' && to.kind === 'list') {
    if (sqlTypeName(type) === sqlTypeName(to) && unify(type.item, to.item).kind !== 'any') return sql;
    if (type.item.kind === 'any' && to.item.kind === 'any') return sql;
    if (type.item.kind === 'null') return `CAST(${sql} AS ${sqlTypeName(to)})`;
    return mappedList(value, frame, (item, inside) => typed(to.item, converted(item, to.item, inside))).sql;
  }
  if (type.kind === 'map' && to.kind === 'map')
    return usedOnce(value, frame, ({ sql: map }) => {
      const fields = to.fields.map((field, at) => {
        if (field.name === KEYS && !hasDifferentKeys(type)) return `'f${at}': ${textList(keysOf(type.fields))}`;
        const from = type.fields.findIndex(({ name }) => name === field.name);
        const part = from < 0 ? NULL : simple(type.fields[from]?.type ?? field.type, `${map}.f${from}`);
        return `'f${at}': ${converted(part, field.type, frame)}`;
      });
      if (fields.length === 0) return map;
      return `CASE WHEN ${map} IS NOT NULL THEN {${fields.join(', ')}} END`;
    });
  return sql;
};
