import { type Call } from '../../cypher/tree';
import { byTable, valueOfRow } from './entity';
import { type Frame, isEntity, type Variable } from './frame';
import { nodeIdText, objectOfValues, relationshipId, storedValues } from './json-text';
import { usedOnce } from './list-map';
import { textLiteral } from './literal';
import { propertyOf } from './map-expressions';
import {
  ANY,
  BOOLEAN,
  type EntityType,
  hasDifferentKeys,
  INTEGER,
  KEYS,
  listOf,
  NULL,
  simple,
  SMALL_INTEGER,
  TEXT,
  type Type,
  typed,
  type Value,
} from './type';

/** Functions of nodes, relationships and paths. */
export const graphFunction = (call: Call, [value = NULL]: readonly Value[], frame: Frame): Value => {
  const { context } = frame;
  const { type } = value;
  const name = call.name.toUpperCase();
  if (name === 'EXISTS') return typed(BOOLEAN, `(${value.sql} IS NOT NULL)`);
  if (type.kind === 'null') return NULL;
  if (type.kind === 'path') return ofPath(call, value, type, frame);
  if (name === 'KEYS' && hasDifferentKeys(type)) return propertyOf(value, KEYS, call, frame);
  if (name === 'KEYS' && type.kind === 'map')
    return typed(
      listOf(TEXT),
      `CASE WHEN ${value.sql} IS NOT NULL THEN CAST([${type.fields.map((field) => textLiteral(field.name)).join(', ')}] AS VARCHAR[]) END`,
    );
  if (name === 'KEYS' && type.kind === 'stored_map') return typed(listOf(type.key), `map_keys(${value.sql})`);
  if (name === 'PROPERTIES' && (type.kind === 'map' || type.kind === 'stored_map')) return value;
  if (name === 'RELATIONSHIPS' && type.kind === 'list') return value;
  if (isEntity(type)) return ofEntity(call, value, type, frame);
  const advice = name === 'LENGTH' ? 'a path; write size(…) for a text or a list' : 'a node, a relationship or a path';
  return context.refuse(`${call.name} needs ${advice}.`, call);
};

const ofPath = (call: Call, path: Variable, type: Extract<Type, { readonly kind: 'path' }>, frame: Frame): Value => {
  const { elements } = path;
  const part = (field: 'n' | 'r', item: Type, parts: readonly Value[] | undefined): Value => ({
    ...typed(listOf(item), `struct_extract(${path.sql}, '${field}')`),
    ...(parts === undefined ? {} : { parts }),
  });
  switch (call.name.toUpperCase()) {
    case 'NODES':
      return part('n', { kind: 'node', tables: type.nodes }, elements?.nodes);
    case 'RELATIONSHIPS':
      return part('r', { kind: 'relationship', tables: type.relationships }, elements?.relationships);
    case 'LENGTH':
      return typed(SMALL_INTEGER, `CAST(len(struct_extract(${path.sql}, 'r')) AS BIGINT)`);
    default:
      return frame.context.refuse(`${call.name} does not have a value for a path.`, call);
  }
};

const ofEntity = (call: Call, entity: Variable, type: EntityType, frame: Frame): Value => {
  const { context } = frame;
  const { schema } = context;
  const named = (open = '', close = ''): string =>
    usedOnce(entity, frame, ({ sql }) =>
      byTable(sql, type.tables, (table) => `${open}${textLiteral(context.tableName(type.kind, table))}${close}`),
    );
  switch (call.name.toUpperCase()) {
    case 'ID':
      return { sql: entity.sql, type: INTEGER, isSimple: entity.isSimple === true };
    case 'ELEMENTID':
      return typed(TEXT, elementId(entity, type, frame));
    case 'KEYS':
      return typed(listOf(TEXT), keys(entity, type, frame));
    case 'PROPERTIES':
      return typed(ANY, properties(entity, type, frame));
    case 'LABELS':
      if (type.kind !== 'node') break;
      return typed(listOf(TEXT), named('[', ']'));
    case 'TYPE':
      if (type.kind !== 'relationship') break;
      return typed(TEXT, named());
    case 'STARTNODE':
    case 'ENDNODE': {
      if (type.kind !== 'relationship') break;
      const [column, side] =
        call.name.toUpperCase() === 'STARTNODE' ? (['_from', 'fromNode'] as const) : (['_to', 'toNode'] as const);
      const labels = type.tables.map((table) => schema.edgeTables[table]?.[side]);
      const tables = schema.nodeTables.flatMap(({ label }, at) => (labels.includes(label) ? [at] : []));
      const id = valueOfRow(entity, type, frame, column, ({ alias }) => `${alias}.${column}`);
      return simple({ kind: 'node', tables }, id);
    }
  }
  return context.refuse(`${call.name} does not have a value for a ${type.kind}.`, call);
};

const elementId = (entity: Variable, type: EntityType, frame: Frame): string =>
  valueOfRow(entity, type, frame, 'element id', ({ table, alias, id }, inside) =>
    type.kind === 'node'
      ? `json_extract_string(${nodeIdText(table, alias, inside)}, '$')`
      : relationshipId(table, id, frame),
  );

const keys = (entity: Variable, type: EntityType, frame: Frame): string =>
  valueOfRow(entity, type, frame, 'keys', ({ table, alias }, inside) => {
    const names = storedValues(type.kind, table, alias, inside).map(
      ([name, { sql }]) => `CASE WHEN ${sql} IS NOT NULL THEN ${textLiteral(name)} END`,
    );
    return inside.local(`list_filter(CAST([${names.join(', ')}] AS VARCHAR[]), lambda k: k IS NOT NULL)`);
  });

const properties = (entity: Variable, type: EntityType, frame: Frame): string =>
  valueOfRow(entity, type, frame, 'properties', ({ table, alias }, inside) =>
    objectOfValues(storedValues(type.kind, table, alias, inside), inside),
  );
