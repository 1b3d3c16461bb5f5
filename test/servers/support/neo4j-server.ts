import { exactJson } from '../../../adapters/client/graph-answer';
import { Moment } from '../../../pod/graph/engine/evaluate/temporal/moment';
import {
  type Graph,
  GraphNode,
  GraphRelationship,
  isList,
  isMap,
  kindOf,
  type Value,
  type ValueMap,
} from '../../../pod/graph/engine/evaluate/values';
import { type Evaluated } from '../../proof/cypher/evaluate-query';

const { NEO4J_URL } = process.env;

/** Needs Neo4j 5.26 without authentication, whose database the tests empty. */
export const describeWithNeo4j = NEO4J_URL === undefined ? describe.skip : describe;

/** A value of Neo4j's typed JSON. */
interface Typed {
  readonly $type: string;
  readonly _value: unknown;
}

/** What Neo4j answers to a query; a query that it rejects is a fault. */
export const askNeo4j = async (text: string, parameters: ValueMap): Promise<Evaluated> => {
  const response = await fetch(`${NEO4J_URL}/db/neo4j/query/v2`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.neo4j.query', accept: 'application/vnd.neo4j.query' },
    body: exactJson({ statement: text, parameters: mapValue(typed, parameters) }),
  });
  // The shape that its documentation says.
  const { data, errors = [] } = (await response.json()) as {
    readonly data?: { readonly fields: readonly string[]; readonly values: readonly (readonly Typed[])[] };
    readonly errors?: readonly { readonly message: string }[];
  };
  if (data === undefined || errors.length > 0)
    return { kind: 'fault', fault: 'error', message: errors.map(({ message }) => message).join(' ') };
  return { kind: 'rows', columns: data.fields, rows: data.values.map((row) => row.map(untyped)) };
};

/** Replaces the graph of the server. */
export const loadNeo4j = async ({ nodes, relationships }: Graph): Promise<void> => {
  const run = async (text: string, rows: readonly ValueMap[]): Promise<void> => {
    const answer = await askNeo4j(text, new Map([['rows', rows]]));
    if (answer.kind === 'fault') throw new Error(answer.message);
  };
  await run('MATCH (n) DETACH DELETE n', []);
  for (const label of new Set(nodes.flatMap(({ labels }) => labels))) {
    const own = nodes.filter(({ labels }) => labels.includes(label));
    const rows = own.map(({ id, properties }) => new Map<string, Value>([['at', BigInt(id)], ['map', properties]])); // prettier-ignore
    await run(`UNWIND $rows AS row CREATE (n:\`${label}\`:Loading) SET n = row.map, n.loaded_at = row.at`, rows);
  }
  for (const type of new Set(relationships.map((relationship) => relationship.type))) {
    const own = relationships.filter((relationship) => relationship.type === type);
    const rows = own.map(
      ({ start, end, properties }) =>
        new Map<string, Value>([['start', BigInt(start.id)], ['end', BigInt(end.id)], ['map', properties]]), // prettier-ignore
    );
    await run(
      `UNWIND $rows AS row MATCH (a:Loading {loaded_at: row.start}), (b:Loading {loaded_at: row.end}) CREATE (a)-[r:\`${type}\`]->(b) SET r = row.map`,
      rows,
    );
  }
  await run('MATCH (n:Loading) REMOVE n:Loading, n.loaded_at', []);
};

const mapValue = <A>(change: (value: Value) => A, map: ValueMap): Readonly<Record<string, A>> =>
  Object.fromEntries([...map].map(([key, value]) => [key, change(value)]));

const typed = (value: Value): Typed => {
  const as = ($type: string, _value: unknown): Typed => ({ $type, _value });
  if (value === null) return as('Null', null);
  if (typeof value === 'boolean') return as('Boolean', value);
  if (typeof value === 'bigint') return as('Integer', String(value));
  if (typeof value === 'number') return as('Float', String(value));
  if (typeof value === 'string') return as('String', value);
  if (isList(value)) return as('List', value.map(typed));
  if (isMap(value)) return as('Map', mapValue(typed, value));
  if (value instanceof Moment && value.type === 'DATE') return as('Date', String(value));
  if (value instanceof Moment && value.type === 'TIMESTAMP') return as('LocalDateTime', value.local.toString());
  throw new Error(`Neo4j has no value for ${kindOf(value)}.`);
};

const NOWHERE = new GraphNode(0, [], new Map());

/** The shapes that its documentation says. */
const untyped = ({ $type, _value: value }: Typed): Value => {
  switch ($type) {
    case 'Null':
      return null;
    case 'Boolean':
      return value === true;
    case 'Integer':
      return BigInt(String(value));
    case 'Float':
      return Number(value);
    case 'List':
      return (value as readonly Typed[]).map(untyped);
    case 'Map':
      return untypedMap(value as Readonly<Record<string, Typed>>);
    case 'Node': {
      const { _labels, _properties } = value as { _labels: readonly string[]; _properties: Record<string, Typed> };
      return new GraphNode(0, _labels, untypedMap(_properties));
    }
    case 'Relationship': {
      const { _type, _properties } = value as { _type: string; _properties: Record<string, Typed> };
      return new GraphRelationship(0, _type, NOWHERE, NOWHERE, untypedMap(_properties));
    }
    case 'Path':
      return (value as readonly Typed[]).map(untyped);
    default:
      return shortTime(String(value));
  }
};

const untypedMap = (map: Readonly<Record<string, Typed>>): ValueMap =>
  new Map(Object.entries(map).map(([key, value]) => [key, untyped(value)]));

/** Neo4j writes seconds that are zero, and zeros behind others. */
const shortTime = (text: string): string =>
  text
    .replace(/(\d\d:\d\d:\d\d(?:\.\d*[1-9])?)\.?0*(?=$|Z|[-+])/, '$1')
    .replace(/^(.*T)?(\d\d:\d\d):00(?=$|Z|[-+])/, '$1$2');
