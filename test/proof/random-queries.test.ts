import { exactJson } from '../../adapters/client/graph-answer';
import { type Graph } from '../../pod/graph/engine/evaluate/values';
import { type Kind, KINDS } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { bySize } from '../support/proof-size';
import { seedsOfRun } from '../support/seed';
import { jsonOf } from './cypher/engine/ask-engine';
import { comparedAnswer, expectedAnswer, type Outcome } from './cypher/engine/compared-answer';
import { tablesOf } from './cypher/engine/graph-tables';
import { loadedTables } from './cypher/engine/loaded-graph';
import { type Evaluated } from './cypher/evaluate-query';
import { ONCE_WRONG } from './random-queries/once-wrong';
import {
  comparedQuery,
  queryOfManyRows,
  type RandomQuery,
  randomQuery,
  wideQuery,
} from './random-queries/random-query';
import { LARGE, randomWorld, WIDE, type WorldSize } from './random-queries/random-world';
import { type Counted, summaryOf } from './random-queries/summary';

const QUERIES = Number(process.env['QUERIES'] ?? bySize({ sample: 200, full: 50_000 }));
/** Queries about one graph. */
const QUERIES_EACH = Math.min(QUERIES, 1_000);
/** Queries about graphs with some thousand rows. */
const MANY_ROWS = Number(process.env['QUERIES'] ?? bySize({ sample: 20, full: 4_950 }));
const MANY_ROWS_EACH = Math.min(MANY_ROWS, 990);
/**
 * The name of a test gives its seed. `SEED=601 SHOW=1 npx jest test/proof/random-queries` repeats it and shows all that
 * is not right, `SUMMARY=1` a table by families, and `QUERIES=20000` asks so many.
 */
const [FIRST = 1] = seedsOfRun([]);

type Limits = Readonly<Record<Exclude<Outcome, 'right'>, number>>;

const limits = (wrong: number, refused: number, byEngine: number): Limits => ({
  wrong,
  refused,
  'refused by the engine': byEngine,
  crashed: 0,
  unknown: 0,
});

/** The pod computes the result of fewer rows, and the evaluator has a limit, too. */
const LIMITS_OF_MANY_ROWS: Limits = { ...limits(0, 10, 1), unknown: 5 };
const MAX_STEPS_OF_MANY_ROWS = 2_000_000;

/** Limits in percent of the queries. */
const LIMITS: Readonly<Record<Kind, Limits>> = {
  graphdb_a: { ...limits(0, 1, 0.5), unknown: 0.1 },
  graphdb_b: { ...limits(0, 2, 1), unknown: 0.1 },
};

const WIDE_LIMITS: Readonly<Record<Kind, Limits>> = {
  graphdb_a: { ...limits(0, 1, 0.5), unknown: 5 },
  graphdb_b: { ...limits(0, 3, 1), unknown: 5 },
};

jest.setTimeout(1_800_000);

interface Tried extends Counted {
  readonly note: string;
}

/** A graph, and what the evaluator answers to a query: once for all kinds, since that takes most of the time. */
interface World {
  readonly graph: Graph;
  readonly answers: Map<number, Evaluated>;
}

const worldOf = (graph: Graph): World => ({ graph, answers: new Map() });

/** What an engine answers to a query, beside what the evaluator says. */
const tried = async (
  { engine }: LoadedEngine,
  seed: number,
  { graph, answers }: World,
  { family, ...query }: RandomQuery,
): Promise<Tried> => {
  const expected = answers.get(seed) ?? expectedAnswer(graph, query);
  answers.set(seed, expected);
  const { outcome, lines } = await comparedAnswer(engine, expected, query);
  const asked = `${outcome} ${seed}, ${family}: ${query.text} ${exactJson(jsonOf(query.parameters))}`;
  return { outcome, family, note: [asked, ...lines].join('\n  ').replaceAll(/(.)\1{99,}/gu, '$1…') };
};

const loadedWorld = (kind: Kind, { graph }: World): Promise<LoadedEngine> => {
  const tables = tablesOf(graph);
  if (typeof tables === 'string') throw new Error(tables);
  return loadedTables(kind, tables);
};

const summaries = new Map<Kind, Tried[]>(KINDS.map((kind) => [kind, []]));

afterAll(() => {
  if (process.env['SUMMARY'] === undefined) return;
  for (const [kind, all] of summaries) process.stderr.write(`\n${kind}\n${summaryOf(all)}\n`);
});

const firstSeeds = (queries: number, each: number): readonly number[] =>
  Array.from({ length: Math.ceil(queries / each) }, (_, index) => FIRST + index * each);

/** Shows what is not right, and tests that it is little. */
const checkOutcomes = (kind: Kind, all: readonly Tried[], mostOf: Limits): void => {
  summaries.get(kind)?.push(...all);
  if (process.env['SHOW'] !== undefined)
    for (const { outcome, note } of all) if (outcome !== 'right') process.stderr.write(`${kind} ${note}\n`);
  for (const [outcome, limit] of Object.entries(mostOf)) {
    const notes = all.flatMap((each) => (each.outcome === outcome ? [each.note] : []));
    expect(notes.length * 100 > limit * all.length ? notes : []).toEqual([]);
  }
};

/** Queries of one kind of graph. */
interface QuerySet {
  readonly title: string;
  readonly count: number;
  /** Queries about one graph. */
  readonly each: number;
  readonly size?: WorldSize;
  readonly query: (seed: number) => RandomQuery;
  readonly limitsOf: (kind: Kind) => Limits;
}

const SETS: readonly QuerySet[] = [
  {
    title: 'random queries of many rows',
    count: MANY_ROWS,
    each: MANY_ROWS_EACH,
    size: LARGE,
    query: (seed) => ({ ...queryOfManyRows(seed), maxSteps: MAX_STEPS_OF_MANY_ROWS }),
    limitsOf: () => LIMITS_OF_MANY_ROWS,
  },
  {
    title: 'random queries of few rows',
    count: QUERIES,
    each: QUERIES_EACH,
    query: randomQuery,
    limitsOf: (kind) => LIMITS[kind],
  },
  {
    title: 'random queries of values of several types, nulls and unusual names',
    count: QUERIES,
    each: QUERIES_EACH,
    size: WIDE,
    query: wideQuery,
    limitsOf: (kind) => WIDE_LIMITS[kind],
  },
];

describe.each(SETS)('$title', ({ count, each, size, query, limitsOf }) => {
  describe.each(firstSeeds(count, each))('from seed %i', (first) => {
    const world = worldOf(randomWorld(first, size));
    afterAll(() => world.answers.clear());

    test.each(KINDS)('%s returns the answer of the evaluator', async (kind) => {
      const loaded = await loadedWorld(kind, world);
      const all: Tried[] = [];
      for (let seed = first; seed < first + each; seed++) all.push(await tried(loaded, seed, world, query(seed)));
      await loaded.end();
      checkOutcomes(kind, all, limitsOf(kind));
    });
  });
});

test.each(KINDS)(
  '%s returns the correct answer for queries it once answered incorrectly, or rejects them',
  async (kind) => {
    for (const graph of new Set(ONCE_WRONG[kind].map((query) => query.graph))) {
      const world = worldOf(randomWorld(graph));
      const loaded = await loadedWorld(kind, world);
      const wrong: string[] = [];
      for (const [index, { text, parameters, refused = false, ...query }] of ONCE_WRONG[kind].entries()) {
        if (query.graph !== graph) continue;
        const compared = comparedQuery(text, new Map(Object.entries(parameters)));
        const { outcome, note } = await tried(loaded, index, world, { ...compared, family: 'once wrong' });
        if (outcome !== 'right' && !(refused && outcome === 'refused')) wrong.push(note);
      }
      await loaded.end();
      expect(wrong).toEqual([]);
    }
  },
);
