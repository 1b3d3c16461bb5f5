import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, figureLine, quantile, rounded } from '../figure';
import { EDGES, exportBenchGraph, NODES } from './bench-graph';
import { type BenchPod, type PodKind, startBenchPod } from './bench-pod';
import { measureFairness } from './measure-fairness';
import {
  CLIENTS,
  GRAPH_QUERIES,
  measureLookups,
  measureLookupsBeside,
  measureQuery,
  measureThreeHops,
} from './measure-queries';
import { measureRun, type RunTimes, writeBackTimes } from './measure-runs';

type Say = (line: string) => void;
type Measure = (pod: BenchPod, say: Say) => Promise<readonly Figure[]>;

const MIB = 2 ** 20;
const RUNS = 3;
const LOOKUP_MS = 5_000;
const WRITE_BACKS = 100;

const atMost = (what: string, value: number, unit: string, most: number): Figure => ({
  what,
  value: rounded(value),
  unit,
  goal: { atMost: most },
});

const loading =
  (kind: string, perSecond: number): Measure =>
  ({ loadSeconds, peakBytes }) =>
    Promise.resolve([
      { what: `load kind ${kind}`, value: rounded(EDGES / loadSeconds), unit: 'edges/s', goal: { atLeast: perSecond } },
      { what: `load kind ${kind}, time`, value: rounded(loadSeconds), unit: 's' },
      atMost(`load kind ${kind}, peak memory`, peakBytes / 1e9, 'GB', 1.2),
    ]);

/** The median of several runs. */
const running = async (
  pod: BenchPod,
  name: string,
  body: unknown,
  value: (times: RunTimes) => number,
): Promise<number> => {
  const values: number[] = [];
  for (let run = 0; run < RUNS; run += 1) values.push(value(await measureRun(pod, name, body)));
  return quantile(values, 0.5);
};

const computing =
  (name: string, most: number, body: unknown = {}): Measure =>
  async (pod) => [
    atMost(`${name}, compute`, await running(pod, name, body, ({ computeSeconds }) => computeSeconds), 's', most),
  ];

const readingTheGraph: Measure = async (pod) => {
  const times: RunTimes[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measureRun(pod, 'density', { directed: false }));
  const median = (value: (time: RunTimes) => number): number => quantile(times.map(value), 0.5);
  return [
    atMost(
      'graph into memory',
      median(({ graphSeconds }) => graphSeconds),
      's',
      1.5,
    ),
    atMost('graph into memory, resident', median(({ graphBytes }) => graphBytes) / MIB, 'MiB', 400),
  ];
};

const storing: Measure = async (pod) => [
  atMost(
    `write-back of ${NODES} values`,
    await running(pod, 'pagerank', { property_name: 'rank', directed: true }, ({ storeSeconds }) => storeSeconds),
    's',
    6,
  ),
];

const lookingWhileStoring: Measure = async (pod, say) => {
  let failures = 0;
  const { p50, p99 } = await measureLookupsBeside(pod, async () => {
    failures = await writeBackTimes(pod, WRITE_BACKS, say);
  });
  const what = `${WRITE_BACKS} write-backs of ${NODES} values beside lookups`;
  return [
    atMost(`${what}, failed`, failures, 'runs', 0),
    { what: `${what}, p50 of lookups`, value: rounded(p50), unit: 'ms' },
    atMost(`${what}, p99 of lookups`, p99, 'ms', 300),
  ];
};

const looking =
  (kind: string, hasGoal: boolean): Measure =>
  async (pod) => {
    const { p50, p99 } = await measureLookups(pod, LOOKUP_MS);
    const what = `point lookup, ${CLIENTS} clients, kind ${kind}`;
    return hasGoal
      ? [atMost(`${what}, p50`, p50, 'ms', 4), atMost(`${what}, p99`, p99, 'ms', 15)]
      : [
          { what: `${what}, p50`, value: rounded(p50), unit: 'ms' },
          { what: `${what}, p99`, value: rounded(p99), unit: 'ms' },
        ];
  };

const answeringBeside =
  (kind: string): Measure =>
  async (pod) => {
    const figures: Figure[] = [];
    for (const slow of [1, 2, 8, 32]) {
      const p95 = await measureFairness(pod, slow);
      figures.push(
        atMost(`RETURN 1 beside ${slow} endless queries of another caller, kind ${kind}, p95`, p95, 'ms', 1_000),
      );
    }
    return figures;
  };

const hopping =
  (kind: string): Measure =>
  async (pod) => {
    const what = `3-hop neighbourhood, kind ${kind}, median, counting`;
    return [
      atMost(`${what} nodes`, await measureThreeHops(pod, 'other'), 'ms', 10),
      { what: `${what} keys`, value: rounded(await measureThreeHops(pod, 'other.id')), unit: 'ms' },
    ];
  };

const querying =
  (kind: string, hasGoals: boolean): Measure =>
  async (pod, say) => {
    const figures: Figure[] = [];
    for (const [name, most, query] of GRAPH_QUERIES) {
      say(name);
      const [what, milliseconds] = [`${name}, kind ${kind}`, await measureQuery(pod, query)];
      figures.push(
        most === null || !hasGoals
          ? { what, value: rounded(milliseconds), unit: 'ms' }
          : atMost(what, milliseconds, 'ms', most),
      );
    }
    return figures;
  };

const ROWS: Readonly<Record<string, readonly [PodKind, Measure]>> = {
  'load-a': ['graphdb_a', loading('A', 650_000)],
  graph: ['graphdb_a', readingTheGraph],
  pagerank: ['graphdb_a', computing('pagerank', 1, { directed: true })],
  wcc: ['graphdb_a', computing('wcc', 0.3)],
  label_propagation: ['graphdb_a', computing('label_propagation', 3)],
  louvain: ['graphdb_a', computing('louvain', 8)],
  triangles: ['graphdb_a', computing('triangles', 0.8)],
  core_number: ['graphdb_a', computing('core_number', 0.8)],
  betweenness: ['graphdb_a', computing('betweenness', 8, { params: { k: 16, seed: 1 } })],
  'write-back': ['graphdb_a', storing],
  'lookup-a': ['graphdb_a', looking('A', true)],
  'hops-a': ['graphdb_a', hopping('A')],
  'queries-a': ['graphdb_a', querying('A', true)],
  'fair-a': ['graphdb_a', answeringBeside('A')],
  'load-b': ['graphdb_b', loading('B', 450_000)],
  'lookup-b': ['graphdb_b', looking('B', false)],
  'hops-b': ['graphdb_b', hopping('B')],
  'queries-b': ['graphdb_b', querying('B', false)],
  'fair-b': ['graphdb_b', answeringBeside('B')],
  'write-backs-b': ['graphdb_b', lookingWhileStoring],
};

/** Pods of both kinds as separate programs with a million nodes and five million edges, over HTTP. */
export const podsBench = async (say: Say, only: readonly string[] | null): Promise<readonly Figure[]> => {
  const unknown = only?.filter((name) => ROWS[name] === undefined) ?? [];
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}; there are: ${Object.keys(ROWS).join(', ')}.`);
  }
  const root = await mkdtemp(join(tmpdir(), 'rowgraph-bench-'));
  try {
    say(`exporting ${NODES} nodes and ${EDGES} edges`);
    const mapping = await exportBenchGraph(root);
    const figures: Figure[] = [];
    for (const kind of ['graphdb_a', 'graphdb_b'] as const) {
      const rows = Object.entries(ROWS).filter(([name, [of]]) => of === kind && (only?.includes(name) ?? true));
      if (rows.length === 0) continue;
      say(`loading ${kind}`);
      const pod = await startBenchPod(root, mapping, kind);
      try {
        for (const [name, [, measure]] of rows) {
          say(name);
          const measured = await measure(pod, say);
          figures.push(...measured);
          for (const figure of measured) say(figureLine(figure));
        }
      } finally {
        await pod.stop();
      }
    }
    return figures;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
