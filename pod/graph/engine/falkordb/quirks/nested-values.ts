import { type TypeOf } from '../../cypher/expression-types';
import { QueryFault } from '../../cypher/query-fault';
import { valueTypes } from '../../cypher/scopes';
import { type Expression, type MapProjection, type Query } from '../../cypher/tree';
import { isNested, type ValueType } from '../../cypher/value-type';
import { clausesIn, expressionsIn, isProjection, operandsOf } from '../../cypher/walk';
import { allProperties, type GraphSchema, propertiesByTable } from '../../graph-schema';
import { storageOf } from '../storage';

/**
 * A value that is kept as JSON text can be named, grouped by, counted and returned as a column; as a part of other
 * values it would be text, so the query is rejected.
 */
export const rejectNested = (query: Query, schema: GraphSchema): void => {
  const names = namesOfNested(schema);
  if (names.size > 0) rejectComputed(query, names, schema);
};

const namesOfNested = (schema: GraphSchema): ReadonlySet<string> =>
  new Set(allProperties(schema).flatMap(({ name, type }) => (storageOf(type) === 'json' ? [name] : [])));

const rejectComputed = (query: Query, names: ReadonlySet<string>, schema: GraphSchema): void => {
  const typeOf = valueTypes(query, schema);
  const all = expressionsIn(query);
  const inSubqueries = new Set(all.flatMap((value) => (value.kind === 'subquery' ? expressionsIn(value.query) : [])));
  const columns = clausesIn(query).flatMap((clause) =>
    isProjection(clause) && query.parts.length === 1 ? clause.items.map(({ value }) => value) : [],
  );
  const allowed = new Set([
    ...columns.filter((value) => !inSubqueries.has(value)),
    ...all.filter(isCounted).flatMap(operandsOf),
  ]);
  const computed = all.find((value) => {
    if (value.kind === 'map_projection') return hasNested(value, names);
    if (holdsNested(value, typeOf, schema)) return true;
    return isNested(typeOf(value)) && !allowed.has(value);
  });
  if (computed !== undefined) throw new QueryFault(MESSAGE, computed.start);
};

/** `x IS NULL` and `count(x)`. */
const isCounted = (value: Expression): boolean =>
  value.kind === 'null_test' || (value.kind === 'call' && /^(count|exists)$/i.test(value.name));

const hasNested = ({ items }: MapProjection, names: ReadonlySet<string>): boolean =>
  items.some((item) => item.kind === 'all' || (item.kind === 'property' && names.has(item.name.text)));

/** `properties(n)` and `n[$name]`. */
const holdsNested = (value: Expression, typeOf: TypeOf, schema: GraphSchema): boolean => {
  if (value.kind === 'call' && /^properties$/i.test(value.name))
    return value.arguments.some((of) => ofTables(typeOf(of), schema));
  if (value.kind !== 'index' || (value.at.kind === 'literal' && typeof value.at.value === 'string')) return false;
  return ofTables(typeOf(value.of), schema);
};

const ofTables = (type: ValueType, schema: GraphSchema): boolean => {
  if (type.kind !== 'node' && type.kind !== 'relationship') return false;
  const tables = propertiesByTable(schema, type.kind);
  return type.tables.some((table) => tables.get(table)?.some(({ type: of }) => storageOf(of) === 'json') === true);
};

const MESSAGE =
  'FalkorDB keeps a MAP, STRUCT or nested LIST as JSON text: return the whole property, or make the field a property of its own in the mapping.';
