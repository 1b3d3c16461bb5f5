import { quantile } from '../figure';
import { plainConnection } from '../plain-connection';
import { NODES } from './bench-graph';
import { type BenchPod } from './bench-pod';

export const CLIENTS = 8;
const WARM_UP_MS = 6_000;
const HOP_NODES = 200;
const QUERY_RUNS = 5;

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/** Each client looks up one person after the other by key for this time; latencies in milliseconds. */
export const measureLookups = async ({ port }: BenchPod, milliseconds: number): Promise<Latencies> => {
  await lookUp(port, after(WARM_UP_MS));
  return latenciesOf(await lookUp(port, after(milliseconds)));
};

/** The same lookups until the concurrent work ends. */
export const measureLookupsBeside = async ({ port }: BenchPod, work: () => Promise<void>): Promise<Latencies> => {
  await lookUp(port, after(WARM_UP_MS));
  let isDone = false;
  const [latencies] = await Promise.all([lookUp(port, () => isDone), work().finally(() => (isDone = true))]);
  return latenciesOf(latencies);
};

const after = (milliseconds: number): (() => boolean) => {
  const endMs = performance.now() + milliseconds;
  return () => performance.now() >= endMs;
};

const latenciesOf = (latencies: readonly number[]): Latencies => ({
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
});

const lookUp = async (port: number, isOver: () => boolean): Promise<readonly number[]> => {
  const latencies: number[] = [];
  const client = async (number: number): Promise<void> => {
    const { ask, close } = plainConnection('127.0.0.1', port);
    for (let turn = number; !isOver(); turn += CLIENTS) {
      const id = keyOf(turn);
      const request = lookupRequest(id);
      const sentMs = performance.now();
      const answer = await ask(request);
      latencies.push(performance.now() - sentMs);
      if (!answer.includes(`"person ${id}"`)) throw new Error(`Asked for person ${id}, got ${answer.toString()}`);
    }
    close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  return latencies;
};

const lookupRequest = (id: number): string => {
  const query = 'MATCH (p:Person {id: $id}) RETURN p.name, p.age';
  const body = JSON.stringify({ query, parameters: { id } });
  const headers = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return `POST /query HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
};

/** Queries about many edges; the goals are milliseconds for DuckDB. */
export const GRAPH_QUERIES: readonly (readonly [what: string, most: number | null, query: string])[] = [
  ['one step with names', 10, 'MATCH (p:Person {id: 4711})-[:KNOWS]->(q) RETURN p.name, q.name, q.age'],
  ['nodes reached by one to four steps', 25, 'MATCH (p:Person {id: 4711})-[:KNOWS*1..4]->(q) RETURN count(DISTINCT q)'],
  [
    'edges grouped by a property of the target',
    880,
    'MATCH (:Person)-[k:KNOWS]->(q:Person) RETURN q.age, count(*), avg(k.weight)',
  ],
  [
    'ten highest degrees',
    780,
    'MATCH (p:Person)-[:KNOWS]->() RETURN p.id, count(*) AS d ORDER BY d DESC, p.id LIMIT 10',
  ],
  [
    'nodes with an edge that …',
    null,
    'MATCH (p:Person) WHERE EXISTS { (p)-[k:KNOWS]->() WHERE k.weight > 0.9 } RETURN count(p)',
  ],
  ['triangles', 12_100, 'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(a) RETURN count(*)'],
  ['two steps over everything', 1_000, 'MATCH (:Person)-[:KNOWS]->(:Person)-[:KNOWS]->(:Person) RETURN count(*)'],
];

/** Median time of a query in milliseconds, after one run. */
export const measureQuery = async ({ call }: BenchPod, query: string): Promise<number> => {
  const latencies: number[] = [];
  for (let run = 0; run <= QUERY_RUNS; run += 1) {
    const sentMs = performance.now();
    await call('POST', '/query', { query });
    if (run > 0) latencies.push(performance.now() - sentMs);
  }
  return quantile(latencies, 0.5);
};

/**
 * Median time in milliseconds to count the people reachable from one person in one to three steps, as nodes (`other`)
 * or by a property (`other.id`).
 */
export const measureThreeHops = async ({ call }: BenchPod, counted: 'other' | 'other.id'): Promise<number> => {
  const latencies: number[] = [];
  for (let turn = -10; turn < HOP_NODES; turn += 1) {
    const sentMs = performance.now();
    await call('POST', '/query', {
      query: `MATCH (p:Person {id: $id})-[:KNOWS*1..3]->(other:Person) RETURN count(DISTINCT ${counted})`,
      parameters: { id: keyOf(turn + 10) },
    });
    if (turn >= 0) latencies.push(performance.now() - sentMs);
  }
  return quantile(latencies, 0.5);
};

/** Keys from the whole graph, the same each time. */
const keyOf = (turn: number): number => (turn * 7919) % NODES;
