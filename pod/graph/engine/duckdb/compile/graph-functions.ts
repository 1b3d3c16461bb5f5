import { type Call } from '../../cypher/tree';
import { ROW_MASK } from '../storage';
import { byTable, type EntityRow, entityRows, valueInTables } from './entity';
import { type Frame, isEntity, type Variable } from './frame';
import { GRAPH_FUNCTIONS } from './functions';
import { jsonText, nodeIdText } from './json-text';
import { usedOnce } from './list-map';
import { textLiteral } from './literal';
import {
  ANY,
  BOOLEAN,
  type EntityType,
  INTEGER,
  listOf,
  NULL,
  SMALL_INTEGER,
  TEXT,
  type Type,
  type Value,
} from './type';

export const isGraphFunction = (name: string): boolean => GRAPH_FUNCTIONS.has(name);

/** Functions of nodes, relationships and paths. */
export const graphFunction = (call: Call, [value = NULL]: readonly Value[], frame: Frame): Value => {
  const { context } = frame;
  const { type } = value;
  const name = call.name.toUpperCase();
  if (name === 'EXISTS') return { sql: `(${value.sql} IS NOT NULL)`, type: BOOLEAN };
  if (type.kind === 'null') return NULL;
  if (type.kind === 'path') return ofPath(call, value, type, frame);
  if (type.kind === 'map' && type.isMerged === true)
    return context.refuse('These maps have different keys; choose one key.', call);
  if (name === 'KEYS' && type.kind === 'map')
    return {
      sql: `CASE WHEN ${value.sql} IS NOT NULL THEN CAST([${type.fields.map((field) => textLiteral(field.name)).join(', ')}] AS VARCHAR[]) END`,
      type: listOf(TEXT),
    };
  if (name === 'KEYS' && type.kind === 'stored_map') return { sql: `map_keys(${value.sql})`, type: listOf(type.key) };
  if (name === 'PROPERTIES' && (type.kind === 'map' || type.kind === 'stored_map')) return value;
  if ((name === 'RELATIONSHIPS' || name === 'RELS') && type.kind === 'list') return value;
  if (isEntity(type)) return ofEntity(call, value, type, frame);
  return context.refuse(`${call.name} needs a node, a relationship or a path.`, call);
};

const ofPath = (call: Call, path: Variable, type: Extract<Type, { readonly kind: 'path' }>, frame: Frame): Value => {
  const { elements } = path;
  switch (call.name.toUpperCase()) {
    case 'NODES':
      return {
        sql: `struct_extract(${path.sql}, 'n')`,
        type: listOf({ kind: 'node', tables: type.nodes }),
        ...(elements === undefined ? {} : { parts: elements.nodes }),
      };
    case 'RELATIONSHIPS':
    case 'RELS':
      return {
        sql: `struct_extract(${path.sql}, 'r')`,
        type: listOf({ kind: 'relationship', tables: type.relationships }),
        ...(elements === undefined ? {} : { parts: elements.relationships }),
      };
    case 'LENGTH':
      return { sql: `CAST(len(struct_extract(${path.sql}, 'r')) AS BIGINT)`, type: SMALL_INTEGER };
    default:
      return frame.context.refuse(`${call.name} does not have a value for a path.`, call);
  }
};

const ofEntity = (call: Call, entity: Variable, type: EntityType, frame: Frame): Value => {
  const { context } = frame;
  const { schema } = context;
  switch (call.name.toUpperCase()) {
    case 'ID':
      return { sql: entity.sql, type: INTEGER, isSimple: entity.isSimple === true };
    case 'ELEMENTID':
      return { sql: elementId(entity, type, frame), type: TEXT };
    case 'KEYS':
      return { sql: keys(entity, type, frame), type: listOf(TEXT) };
    case 'PROPERTIES':
      return { sql: properties(entity, type, frame), type: ANY };
    case 'LABELS':
      if (type.kind !== 'node') break;
      return {
        sql: usedOnce(entity, frame, ({ sql }) =>
          byTable(sql, type.tables, (table) => `[${textLiteral(schema.nodeTables[table]?.label ?? '')}]`),
        ),
        type: listOf(TEXT),
      };
    case 'TYPE':
      if (type.kind !== 'relationship') break;
      return {
        sql: usedOnce(entity, frame, ({ sql }) =>
          byTable(sql, type.tables, (table) => textLiteral(schema.edgeTables[table]?.type ?? '')),
        ),
        type: TEXT,
      };
    case 'STARTNODE':
    case 'ENDNODE': {
      if (type.kind !== 'relationship') break;
      const [column, side] =
        call.name.toUpperCase() === 'STARTNODE' ? (['_from', 'fromNode'] as const) : (['_to', 'toNode'] as const);
      const rows = entityRows(entity, type, frame);
      const labels = type.tables.map((table) => schema.edgeTables[table]?.[side]);
      const tables = schema.nodeTables.flatMap(({ label }, at) => (labels.includes(label) ? [at] : []));
      const ids = rows.map(({ alias }) => `${alias}.${column}`);
      return {
        sql:
          ids.length === 0 ? 'CAST(NULL AS BIGINT)' : ids.length === 1 ? (ids[0] ?? '') : `coalesce(${ids.join(', ')})`,
        type: { kind: 'node', tables },
        isSimple: true,
      };
    }
  }
  return context.refuse(`${call.name} does not have a value for a ${type.kind}.`, call);
};

const elementId = (entity: Variable, type: EntityType, frame: Frame): string => {
  const texts = entityRows(entity, type, frame).map(({ table, alias, id }) =>
    type.kind === 'node'
      ? `WHEN ${alias}._id IS NOT NULL THEN json_extract_string(${nodeIdText(table, alias, frame)}, '$')`
      : `WHEN ${alias}._id IS NOT NULL THEN ${textLiteral(`${frame.context.schema.edgeTables[table]?.type ?? ''}:`)} || CAST(${id} & ${ROW_MASK} AS VARCHAR)`,
  );
  return texts.length === 0 ? 'CAST(NULL AS VARCHAR)' : `CASE ${texts.join(' ')} END`;
};

/** A value of the stored properties of an entity, from the row of its table. */
const ofProperties = (
  entity: Variable,
  type: EntityType,
  key: string,
  frame: Frame,
  write: (properties: readonly (readonly [string, Value])[], inside: Frame) => string,
): string => {
  const ofRow = ({ table, alias }: EntityRow, inside: Frame): string =>
    write(
      frame.context
        .storedColumns(type.kind, table)
        .map(({ name, column, type: stored }) => [name, { sql: `${alias}.${column}`, type: stored, isSimple: true }]),
      inside,
    );
  const joined = valueInTables(entity, type, frame, key, ofRow);
  if (joined !== null) return joined;
  const texts = entityRows(entity, type, frame).map(
    (row) => `WHEN ${row.alias}._id IS NOT NULL THEN ${ofRow(row, frame)}`,
  );
  return texts.length === 0 ? 'NULL' : `CASE ${texts.join(' ')} END`;
};

const keys = (entity: Variable, type: EntityType, frame: Frame): string =>
  ofProperties(entity, type, 'keys', frame, (properties, inside) => {
    const names = properties.map(([name, { sql }]) => `CASE WHEN ${sql} IS NOT NULL THEN ${textLiteral(name)} END`);
    return inside.local(`list_filter(CAST([${names.join(', ')}] AS VARCHAR[]), lambda k: k IS NOT NULL)`);
  });

/** JSON text without the properties that are null. */
const properties = (entity: Variable, type: EntityType, frame: Frame): string =>
  ofProperties(entity, type, 'properties', frame, (stored, inside) => {
    const texts = stored.map(
      ([name, value]) => `(${textLiteral(`${JSON.stringify(name)}:`)} || ${jsonText(value, inside)})`,
    );
    return `'{' || ${texts.length === 0 ? "''" : `concat_ws(',', ${texts.join(', ')})`} || '}'`;
  });
