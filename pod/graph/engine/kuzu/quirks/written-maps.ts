import { make } from '../../cypher/template';
import { isNotNull, list, literal, name, property, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Expression, type MapEntry, type MapProjection, type Span } from '../../cypher/tree';
import { valueTypes } from '../../cypher/value-types';
import { changeExpressions } from '../../cypher/walk';

export const writtenMaps: Quirk = {
  id: 'kuzu-maps-of-properties',
  description: 'keys(n) returns all properties of the table; n {.name} is a syntax error.',
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
      const name = value.kind === 'call' ? value.name.toUpperCase() : '';
      const [of] = value.kind === 'call' ? value.arguments : [];
      const [entity, more] = original.kind === 'call' ? original.arguments : [];
      if (of === undefined || entity === undefined || more !== undefined || !/^(KEYS|PROPERTIES)$/.test(name))
        return value;
      if (of.kind !== 'map') return /^(node|relationship)$/.test(typeOf(entity).kind) ? fail(value) : value;
      if (name === 'PROPERTIES') return of;
      return list(
        of.entries.map(({ key }) => literal(key.text, value)),
        value,
      );
    });
  },
};

const entry = (text: string, value: Expression): MapEntry => ({ key: name(text, value), value });

const fail = ({ start }: Span): never => {
  throw new QueryFault(
    'All properties, or their names, are possible for a few thousand rows on this kind of instance: write n {.id, .name}.',
    start,
  );
};

const orNull = (of: Expression, value: Expression): Expression =>
  make('CASE WHEN _1 THEN _2 END', value, isNotNull(of), value);

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
