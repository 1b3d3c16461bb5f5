import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { type GraphProperty, type GraphSchema } from '../../../../pod/graph/engine/graph-schema';
import { type BareFalkordb, bareFalkordb } from './bare-falkordb';
import { right } from './loaded-engine';

/** Creates the graph of a CREATE in a started engine, as if it had been loaded from a snapshot. */
export const createInFalkordb = async (engine: GraphEngine, text: string | undefined): Promise<BareFalkordb> => {
  const bare = await bareFalkordb(engine);
  if (text !== undefined) await bare.write(text);
  right(await engine.createSchema(await schemaOf(bare)));
  right(await engine.finishLoading());
  return bare;
};

const schemaOf = async (bare: BareFalkordb): Promise<GraphSchema> => {
  const nodes = await bare.read('MATCH (n) UNWIND labels(n) AS l RETURN l, collect(properties(n)) ORDER BY l');
  const edges = await bare.read(
    `MATCH (a)-[e]->(b) RETURN type(e), collect(properties(e)), labels(a)[0], labels(b)[0], max(id(a) = id(b))`,
  );
  return {
    nodeTables: rowsOf(nodes).map(([label, maps]) => {
      const [primaryKey = propertyOf('id', 0), ...properties] = propertiesOf(maps);
      const isUnusual = (maps as Record<string, unknown>[]).some((map) => UNUSUAL.test(String(map[primaryKey.name])));
      const holds = [...(primaryKey.holds ?? []), ...(isUnusual ? ['unusual key' as const] : [])];
      const key = { ...primaryKey, holds };
      return { label: String(label), primaryKey: key, properties };
    }),
    edgeTables: rowsOf(edges).map(([type, maps, from, to, hasLoops]) => ({
      type: String(type),
      fromNode: String(from),
      toNode: String(to),
      hasLoops: hasLoops === true,
      properties: propertiesOf(maps),
    })),
  };
};

const rowsOf = (found: unknown[][] | string): unknown[][] => {
  if (typeof found === 'string') throw new Error(found);
  return found;
};

/** An empty text, a leading or trailing blank, sixteen digits. */
const UNUSUAL = /^$|^\s|\s$|\d{16}/;

const GREAT = /^-?\d{19}$/;

/** The key is `id`, else the first one. */
const propertiesOf = (maps: unknown): readonly GraphProperty[] => {
  const values = Object.entries(Object.assign({}, ...(maps as object[])) as Record<string, unknown>);
  const sorted = [...values.filter(([name]) => name === 'id'), ...values.filter(([name]) => name !== 'id')];
  const great = new Set(
    (maps as Record<string, unknown>[]).flatMap((map) =>
      Object.keys(map).filter((name) => GREAT.test(String(map[name]))),
    ),
  );
  return sorted.map(([name, value]) => ({
    ...propertyOf(name, value),
    ...(great.has(name) ? { holds: ['great integer' as const] } : {}),
  }));
};

const propertyOf = (name: string, value: unknown): GraphProperty => {
  const declaredType = typeOf(Array.isArray(value) ? value[0] : value);
  const scalar = { kind: 'scalar', name: declaredType } as const;
  return {
    name,
    declaredType: Array.isArray(value) ? 'LIST' : declaredType,
    type: Array.isArray(value) ? { kind: 'list', item: scalar } : scalar,
    wholeMilliseconds: false,
  };
};

const typeOf = (value: unknown): string => {
  if (typeof value === 'boolean') return 'BOOL';
  if (typeof value === 'number') return Number.isInteger(value) ? 'INT64' : 'DOUBLE';
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return 'DATE';
  return /^\d{4}-\d\d-\d\dT/.test(text) ? 'TIMESTAMP' : 'STRING';
};
