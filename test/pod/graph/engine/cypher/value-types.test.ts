import { parseStatement } from '../../../../../pod/graph/engine/cypher/parse-statement';
import { valueTypes } from '../../../../../pod/graph/engine/cypher/scopes';
import { type ValueType } from '../../../../../pod/graph/engine/cypher/value-type';
import { type GraphProperty, type GraphSchema, scalar } from '../../../../../pod/graph/engine/graph-schema';

const property = (name: string, type: string): GraphProperty => ({
  name,
  declaredType: type,
  type: type.endsWith('[]') ? { kind: 'list', item: scalar(type.slice(0, -2)) } : scalar(type),
  wholeMilliseconds: false,
});

const SCHEMA: GraphSchema = {
  nodeTables: [
    {
      label: 'Person',
      primaryKey: property('id', 'INT64'),
      properties: [property('name', 'STRING'), property('tags', 'STRING[]'), property('since', 'DATE')],
    },
    { label: 'City', primaryKey: property('id', 'STRING'), properties: [property('name', 'STRING')] },
  ],
  edgeTables: [
    { type: 'KNOWS', fromNode: 'Person', toNode: 'Person', hasLoops: true, properties: [property('weight', 'DOUBLE')] },
  ],
};

const shown = (type: ValueType): string => {
  if (type.kind === 'list') return `list of ${shown(type.item)}`;
  if ('tables' in type) return `${type.kind} ${type.tables.join('|')}`;
  return type.kind === 'other' ? type.name : type.kind;
};

/** The types of the columns of the last clause. */
const typesOf = (text: string): string => {
  const { query } = parseStatement(text);
  const typeOf = valueTypes(query, SCHEMA);
  const last = query.parts[0]?.at(-1);
  return last?.kind === 'return' ? last.items.map(({ value }) => shown(typeOf(value))).join(', ') : 'none';
};

test.each([
  ["RETURN 1, 0x1F, 1.5, 1e3, 'a', true, null", 'integer, integer, float, float, text, boolean, null'],
  ['RETURN [1, null, 2.5], [], {a: 1}', 'list of float, list of null, map'],
  [
    'MATCH (n:Person) RETURN n, n.id, n.name, n.tags, n.since, n.none',
    'node Person, integer, text, list of text, DATE, null',
  ],
  ['MATCH (n) RETURN n, n.id, n.name', 'node Person|City, unknown, text'],
  [
    'MATCH p = (:Person)-[r:KNOWS]->()-[s*1..2]->() RETURN p, r, s, r.weight',
    'path, relationship KNOWS, list of relationship KNOWS, float',
  ],
  ['MATCH (n:Person) WITH n AS m, n.name AS id UNWIND m.tags AS tag RETURN m.id, id, tag', 'integer, text, text'],
  [
    'MATCH (n:Person) RETURN n.id + 1, n.id + 1.5, n.id + n.name, n.tags + 1, n.id ^ 2',
    'integer, float, text, list of unknown, float',
  ],
  ['MATCH (n:Person) RETURN n.id < 2 AND n:Person, n.id IN [1], n.since.year', 'boolean, boolean, integer'],
  [
    'MATCH (n:Person) RETURN collect(n.name), count(*), max(n.id), sum(n.id), avg(n.id)',
    'list of text, integer, integer, integer, float',
  ],
  [
    'MATCH (n:Person) RETURN [x IN n.tags | size(x)], reduce(s = 0, x IN [1, 2] | s + x), head(n.tags)',
    'list of integer, integer, text',
  ],
  [
    'MATCH (n:Person) RETURN coalesce(n.none, n.id), CASE WHEN true THEN 1 ELSE 2.5 END, n.tags[0], labels(n)[0]',
    'integer, float, text, text',
  ],
  ['RETURN $p, $p.a, foo(1)', 'unknown, unknown, unknown'],
  ["CALL { RETURN 1 AS x UNION RETURN 'a' AS x } RETURN x", 'unknown'],
])('the types of %s are %s', (text, types) => expect(typesOf(text)).toBe(types));

/** The greatest absolute value of the first column; null: any of 64 bits. */
const mostOfFirst = (text: string): number | null => {
  const { query } = parseStatement(text);
  const last = query.parts[0]?.at(-1);
  const [first] = last?.kind === 'return' ? last.items : [];
  const type = first === undefined ? null : valueTypes(query, SCHEMA)(first.value);
  return type?.kind === 'integer' ? (type.most ?? null) : null;
};

test.each([
  ['RETURN 7 + 0x10', 23],
  ['MATCH (n:Person) RETURN n.id', 2 ** 31],
  ['MATCH (n:Person) WITH n.id * 2 AS x UNWIND [x, 1] AS y RETURN y - 1', 2 ** 32 + 1],
  ['MATCH (n:Person) RETURN sum(n.id)', 2 ** 62],
  ['MATCH (n:Person) RETURN n.id * n.id * n.id', null],
  ['RETURN reduce(s = 1, x IN [2, 3] | s * x)', null],
  ['RETURN reduce(l = [1], x IN [2, 3] | l + [last(l) * x])[2]', null],
])('the greatest integer of %s is %p', (text, most) => expect(mostOfFirst(text)).toBe(most));
