import { sqlString } from '../../../duckdb/duckdb-session';
import { QueryFault } from '../../cypher/query-fault';
import { ROW_MASK } from '../storage';
import { type EntityRow, entityRows, tableCondition, valueInTables } from './entity';
import { type Frame } from './frame';
import { mappedList, usedOnce } from './list-map';
import { type EntityType, listOf, mayBeNaN, NULL, sqlTypeName, type Type, unify, type Value } from './type';

/** The JSON text of a value, as in answers; SQL null for null. */
export const jsonText = (value: Value, frame: Frame): string => {
  const { type, sql, parts } = value;
  switch (type.kind) {
    case 'any':
      return mayBeNaN(type) ? `ltrim(${sql})` : sql;
    case 'null':
      return 'CAST(NULL AS VARCHAR)';
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
      if (type.isConstant === true) throw new QueryFault('A time of the query cannot be a column beside the graph.', 0);
      return usedOnce(value, frame, timestampText);
    case 'duration':
      throw new QueryFault('A duration cannot be a column beside the graph.', 0);
    case 'list':
      return listText(value, frame);
    case 'map':
      if (type.isMerged === true)
        throw new QueryFault('Maps with different keys cannot be a column; choose one key.', 0);
      if (parts !== undefined)
        return mapText(
          type.fields.map(({ name }, at) => [name, parts[at] ?? value]),
          frame,
        );
      return usedOnce(value, frame, ({ sql: map }) => {
        const fields = type.fields.map(
          (field, at) => [field.name, { sql: `${map}.f${at}`, type: field.type, isSimple: true }] as const,
        );
        return `CASE WHEN ${map} IS NOT NULL THEN ${mapText(fields, frame)} END`;
      });
    case 'stored_map': {
      const entries = { sql: `map_entries(${sql})`, type: listOf(type) };
      const texts = mappedList(entries, frame, ({ sql: entry }, inside) => {
        const key = `CAST(to_json(CAST(${entry}.key AS VARCHAR)) AS VARCHAR)`;
        const text = jsonText({ sql: `${entry}.value`, type: type.value, isSimple: true }, inside);
        return { value: { sql: `${key} || ':' || ${orNull(text)}`, type: { kind: 'text' } }, condition: null };
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

const orNull = (json: string): string => `coalesce(${json}, 'null')`;

const floatText = ({ sql, type }: Value): string => {
  const number = `regexp_replace(CAST(to_json(${sql} + 0.0) AS VARCHAR), '\\.0$', '')`;
  const isFinite = `isfinite(${sql})`;
  const other = `'"' || CAST(to_json(${sql}) AS VARCHAR) || '"'`;
  return type.kind === 'float' ? `CASE WHEN ${isFinite} THEN ${number} ELSE ${other} END` : number;
};

/** Years beyond 9999 and before 0 have a sign and six digits. */
const dayText = (sql: string): string =>
  `CASE WHEN year(${sql}) BETWEEN 0 AND 9999 THEN strftime(${sql}, '%Y-%m-%d') ELSE ` +
  `CASE WHEN year(${sql}) < 0 THEN '-' ELSE '+' END || format('{:06d}', abs(year(${sql}))) || ` +
  `strftime(${sql}, '-%m-%d') END`;

const dateText = ({ sql }: Value): string =>
  `CASE WHEN isfinite(${sql}) THEN '"' || ${dayText(sql)} || '"' ELSE '"' || CAST(${sql} AS VARCHAR) || '"' END`;

/** Milliseconds always, microseconds if they are not zero. */
const timestampText = ({ sql }: Value): string => {
  const digits = `CASE WHEN microsecond(${sql}) % 1000 = 0 THEN strftime(${sql}, 'T%H:%M:%S.%g') ELSE rtrim(strftime(${sql}, 'T%H:%M:%S.%f'), '0') END`;
  return (
    `CASE WHEN isfinite(${sql}) THEN '"' || ${dayText(sql)} || ${digits} || 'Z"' ` +
    `ELSE '"' || CAST(${sql} AS VARCHAR) || '"' END`
  );
};

const listText = (list: Value, frame: Frame): string => {
  if (list.parts !== undefined && list.parts.length <= MAX_WRITTEN_ITEMS) {
    const items = list.parts.map((part) => orNull(jsonText(part, frame)));
    return items.length === 0 ? `'[]'` : `('[' || ${items.join(` || ',' || `)} || ']')`;
  }
  const texts = mappedList(list, frame, (item, inside) => ({
    value: { sql: orNull(jsonText(item, inside)), type: { kind: 'text' } },
    condition: null,
  }));
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

/** `{"_id": …, "_label": …}` with all properties. */
const entityText = (entity: Value, type: EntityType, frame: Frame): string => {
  const ofRow = ({ table, alias, id }: EntityRow, inside: Frame): string =>
    type.kind === 'node' ? nodeText(table, alias, inside) : relationshipText(table, alias, id, inside);
  const joined = valueInTables(entity, type, frame, 'text', ofRow);
  if (joined !== null) return joined;
  const rows = entityRows(entity, type, frame);
  const texts = rows.map(({ table, alias, id }) => {
    const text = type.kind === 'node' ? nodeText(table, alias, frame) : relationshipText(table, alias, id, frame);
    return rows.length === 1
      ? `CASE WHEN ${alias}._id IS NOT NULL THEN ${text} END`
      : `WHEN ${tableCondition(id, table)} THEN ${text}`;
  });
  if (texts.length === 0) return 'CAST(NULL AS VARCHAR)';
  return rows.length === 1 ? (texts[0] ?? '') : `CASE ${texts.join(' ')} END`;
};

const nodeText = (table: number, alias: string, frame: Frame): string => {
  const { label } = frame.context.schema.nodeTables[table] ?? { label: '' };
  return mapText(
    [
      ['_id', { sql: nodeIdText(table, alias, frame), type: { kind: 'any', isScalar: true } }],
      ['_label', { sql: sqlString(label), type: { kind: 'text' } }],
      ...storedValues('node', table, alias, frame),
    ],
    frame,
  );
};

/** The JSON text of `Label:key`. */
export const nodeIdText = (table: number, alias: string, frame: Frame): string => {
  const { label = '' } = frame.context.schema.nodeTables[table] ?? {};
  const [[, key] = ['', undefined]] = storedValues('node', table, alias, frame);
  if (key === undefined) return 'NULL';
  const text = key.type.kind === 'text' ? key.sql : `trim(${jsonText(key, frame)}, '"')`;
  return `CAST(to_json(${sqlString(`${label}:`)} || ${text}) AS VARCHAR)`;
};

const relationshipText = (table: number, alias: string, id: string, frame: Frame): string => {
  const edge = frame.context.schema.edgeTables[table];
  const ends = (
    [
      [edge?.fromNode, '_from'],
      [edge?.toNode, '_to'],
    ] as const
  ).map(([label, column]) => {
    const node = frame.context.schema.nodeTables.findIndex((each) => each.label === label);
    return nodeIdText(node, frame.row(`${alias}.${column}`, 'node', node, false), frame);
  });
  const text = (json: string): Value => ({ sql: json, type: { kind: 'any', isScalar: true } });
  const [start = '', end = ''] = ends;
  return mapText(
    [
      [
        '_id',
        text(`CAST(to_json(${sqlString(`${edge?.type ?? ''}:`)} || CAST(${id} & ${ROW_MASK} AS VARCHAR)) AS VARCHAR)`),
      ],
      ['_type', { sql: sqlString(edge?.type ?? ''), type: { kind: 'text' } }],
      ['_start', text(start)],
      ['_end', text(end)],
      ['_src', text(start)],
      ['_dst', text(end)],
      ...storedValues('relationship', table, alias, frame),
    ],
    frame,
  );
};

const storedValues = (
  kind: 'node' | 'relationship',
  table: number,
  alias: string,
  { context }: Frame,
): readonly (readonly [string, Value])[] =>
  context
    .storedColumns(kind, table)
    .map(({ name, column, type }) => [name, { sql: `${alias}.${column}`, type, isSimple: true }] as const);

/** An array of nodes and relationships in turn. */
const pathText = (
  path: Value,
  { nodes: nodeTables, relationships }: Extract<Type, { readonly kind: 'path' }>,
  frame: Frame,
): string => {
  const column = frame.isLambda ? path : frame.column(path);
  const list = (part: 'n' | 'r'): Value => ({
    sql: `${column.sql}.${part}`,
    type: listOf(part === 'n' ? { kind: 'node', tables: nodeTables } : { kind: 'relationship', tables: relationships }),
    isSimple: true,
  });
  const texts = (part: 'n' | 'r'): string =>
    mappedList(list(part), frame, (item, inside) => ({
      value: { sql: jsonText(item, inside), type: { kind: 'text' } },
      condition: null,
    })).sql;
  const nodes = { sql: `[${texts('n')}, ${texts('r')}]`, type: listOf(listOf({ kind: 'text' })) };
  return usedOnce(nodes, frame, ({ sql }) => {
    const at = frame.context.name('x');
    const pairs = `list_transform(range(1, len(${sql}[1]) + 1), lambda ${at}: concat_ws(',', ${sql}[1][${at}], ${sql}[2][${at}]))`;
    return `CASE WHEN ${sql}[1] IS NOT NULL THEN '[' || array_to_string(${pairs}, ',') || ']' END`;
  });
};

/** A value as one of several types. */
export const anyText = (value: Value, frame: Frame): string => {
  const { type, sql } = value;
  if (type.kind === 'any') return sql;
  if (!mayBeNaN(type)) return jsonText(value, frame);
  return usedOnce(
    value,
    frame,
    (float) => `CASE WHEN isfinite(${float.sql}) THEN '' ELSE ' ' END || ${floatText(float)}`,
  );
};

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
    return mappedList(value, frame, (item, inside) => ({
      value: { sql: converted(item, to.item, inside), type: to.item },
      condition: null,
    })).sql;
  }
  if (type.kind === 'map' && to.kind === 'map')
    return usedOnce(value, frame, ({ sql: map }) => {
      const fields = to.fields.map((field, at) => {
        const from = type.fields.findIndex(({ name }) => name === field.name);
        const part =
          from < 0 ? NULL : { sql: `${map}.f${from}`, type: type.fields[from]?.type ?? field.type, isSimple: true };
        return `'f${at}': ${converted(part, field.type, frame)}`;
      });
      if (fields.length === 0) return map;
      return `CASE WHEN ${map} IS NOT NULL THEN {${fields.join(', ')}} END`;
    });
  return sql;
};

/** What orders JSON texts of scalars: texts, then booleans, then numbers. */
export const orderOfScalars = (sql: string): readonly string[] => [
  `CASE left(${sql}, 1) WHEN '"' THEN 1 WHEN 'f' THEN 2 WHEN 't' THEN 3 ELSE CASE WHEN ${sql} IS NOT NULL THEN 4 END END`,
  `CASE WHEN ${sql}[1] = '"' THEN json_extract_string(${sql}, '$') END`,
  ...['DOUBLE', 'HUGEINT'].map((name) => `TRY_CAST(trim(${sql}, ' "') AS ${name})`),
];
