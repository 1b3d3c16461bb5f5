import { make } from '../../cypher/template';
import { isNotNull, list, literal, name, property, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Expression, type MapEntry, type MapProjection, type Span } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { valueTypes } from '../../cypher/value-types';
import { changeExpressions } from '../../cypher/walk';
import { type GraphSchema, propertiesByTable } from '../../graph-schema';

export const writtenMaps: Quirk = {
  id: 'kuzu-maps-of-properties',
  description: 'keys(n) has all properties of its table; n {.name} is unknown.',
  shown: {
    graph: 'CREATE (:N {id: 1, a: 2}), (:N {id: 3})',
    query: 'MATCH (n:N {id: 3}) RETURN keys(n), n {.id, b: n.a}',
    right: [[['id'], { id: 3, b: null }]],
    wrong: 'error',
  },
  rewrite: (query, { schema }) => {
    const maps = changeExpressions(query, (value) => (value.kind === 'map_projection' ? projectedMap(value) : value));
    const typeOf = valueTypes(maps, schema);
    return changeExpressions(maps, (value, original) => {
      const [of] = value.kind === 'call' ? value.arguments : [];
      const [asked, more] = original.kind === 'call' ? original.arguments : [];
      if (of === undefined || asked === undefined || more !== undefined || value.kind !== 'call') return value;
      const fields = of.kind === 'map' ? of.entries.map(({ key }) => key.text) : propertyNames(typeOf(asked), schema);
      const upper = value.name.toUpperCase();
      if (upper === 'KEYS' && fields !== null)
        return of.kind === 'map' ? texts(fields, value) : presentKeys(of, fields, value);
      if (upper !== 'PROPERTIES' || fields === null) return value;
      return of.kind === 'map' ? of : fail(value);
    });
  },
};

/** The properties that nodes or relationships of a type can have, the keys first; null for other values. */
const propertyNames = (type: ValueType, schema: GraphSchema): readonly string[] | null => {
  if (type.kind !== 'node' && type.kind !== 'relationship') return null;
  const tables = [...propertiesByTable(schema, type.kind)].filter(([table]) => type.tables.includes(table));
  return [...new Set(tables.flatMap(([, properties]) => properties.map((found) => found.name)))];
};

const entry = (text: string, value: Expression): MapEntry => ({ key: name(text, value), value });

const fail = ({ start }: Span): never => {
  throw new QueryFault('A map of all properties is not possible here: name them, as in n {.id, .name}.', start);
};

const orNull = (of: Expression, value: Expression): Expression =>
  make('CASE WHEN _1 THEN _2 END', value, isNotNull(of), value);

const texts = (all: readonly string[], place: Span): Expression =>
  list(
    all.map((text) => literal(text, place)),
    place,
  );

const presentKeys = (of: Expression, fields: readonly string[], place: Span): Expression => {
  const items = fields.map((field) =>
    make('CASE WHEN _1 THEN _2 END', place, isNotNull(property(of, field)), literal(field, place)),
  );
  return orNull(of, make('list_filter(_1, _k -> _k IS NOT NULL)', place, list(items, place)));
};

const projectedMap = ({ of: { text }, items, start, end }: MapProjection): Expression => {
  const of = variable(text, { start, end });
  const entries = items.map((item): MapEntry => {
    if (item.kind === 'entry') return item.entry;
    if (item.kind === 'all') return fail({ start, end });
    return entry(
      item.name.text,
      item.kind === 'property' ? property(of, item.name.text) : variable(item.name.text, item.name),
    );
  });
  if (entries.length === 0) throw new QueryFault('An empty map is not possible on this kind of instance.', start);
  return orNull(of, { kind: 'map', entries, start, end });
};
