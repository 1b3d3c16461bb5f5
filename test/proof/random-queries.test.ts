import { bySize } from '../support/proof-size';
import { seedsOfRun } from '../support/seed';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { askEngine, jsonOf } from './cypher/engine/ask-engine';
import { tablesOf } from './cypher/engine/graph-tables';
import { type Kind, loadedTables } from './cypher/engine/loaded-graph';
import { evaluateQuery } from './cypher/evaluate-query';
import { rowsText } from './cypher/rows-text';
import { type Graph } from './cypher/values';
import { randomQuery } from './random-queries/random-query';
import { randomWorld } from './random-queries/random-world';
import { type Counted, type Outcome, summaryOf } from './random-queries/summary';

const QUERIES = Number(process.env['QUERIES'] ?? bySize({ sample: 300, middle: 5_000, full: 50_000 }));
/** Of one graph. */
const QUERIES_EACH = Math.min(QUERIES, 1_000);
const KINDS: readonly Kind[] = ['graphdb_a', 'graphdb_b'];
/**
 * The name of a test gives its seed. `SEED=601 SHOW=1 npx jest test/proof/random-queries` repeats it and shows all that
 * is not right, `SUMMARY=1` a table by families, and `QUERIES=20000` asks so many.
 */
const [FIRST = 1] = seedsOfRun([]);

/** Of a hundred queries at most so many, `wrong` without notice. */
const LIMITS: Readonly<Record<Kind, Readonly<Record<Exclude<Outcome, 'right'>, number>>>> = {
  graphdb_a: { wrong: 20, refused: 60, 'refused by the engine': 30, warned: 10, crashed: 1, unknown: 0 },
  graphdb_b: { wrong: 20, refused: 25, 'refused by the engine': 15, warned: 10, crashed: 0, unknown: 0 },
};

/** How messages begin or end that an engine wrote: they have no advice. */
const RAW =
  /exception:|Unable to resolve|Type mismatch|Invalid input|expected rule|does not currently support|currently only supports/;

jest.setTimeout(1_800_000);

interface Tried extends Counted {
  readonly note: string;
}

/** What an engine answers to a query, beside what the evaluator says. */
const tried = async ({ engine }: LoadedEngine, seed: number, graph: Graph): Promise<Tried> => {
  const { family, text, parameters, ...order } = randomQuery(seed);
  const expected = evaluateQuery(text, graph, parameters);
  const given = JSON.stringify(jsonOf(parameters));
  const noted = (outcome: Outcome, ...lines: readonly string[]): Tried => ({
    outcome,
    family,
    note: [`${outcome} ${seed}, ${family}: ${text} ${given}`, ...lines.map(shortened)]
      .join('\n  ')
      .replaceAll(/(.)\1{99,}/gu, '$1…'),
  });
  if (expected.kind === 'fault') return noted('unknown', expected.message);
  const answer = await askEngine(engine, text, parameters);
  if (answer.kind !== 'rows') {
    const isRaw = answer.kind === 'refused' && RAW.test(answer.message);
    return noted(isRaw ? 'refused by the engine' : answer.kind === 'refused' ? 'refused' : 'crashed', answer.message);
  }
  const rules = { ...order, asJson: true };
  const [wanted, found] = [rowsText(expected, rules), rowsText(answer, rules)];
  const outcome = answer.warnings.length > 0 ? 'warned' : wanted === found ? 'right' : 'wrong';
  return noted(outcome, found, `instead of ${wanted}`, ...answer.warnings);
};

const shortened = (line: string): string => line.replaceAll('\n', ' / ').slice(0, 300);

const summaries = new Map<Kind, Tried[]>(KINDS.map((kind) => [kind, []]));

afterAll(() => {
  if (process.env['SUMMARY'] === undefined) return;
  for (const [kind, all] of summaries) process.stderr.write(`\n${kind}\n${summaryOf(all)}\n`);
});

describe.each(Array.from({ length: Math.ceil(QUERIES / QUERIES_EACH) }, (_, index) => FIRST + index * QUERIES_EACH))(
  'random queries from seed %i',
  (first) => {
    const graph = randomWorld(first);

    test.each(KINDS)('%s answers as the evaluator does, or says that it may not', async (kind) => {
      const tables = tablesOf(graph);
      if (typeof tables === 'string') throw new Error(tables);
      const loaded = await loadedTables(kind, tables);
      const all: Tried[] = [];
      for (let seed = first; seed < first + QUERIES_EACH; seed++) all.push(await tried(loaded, seed, graph));
      await loaded.end();
      summaries.get(kind)?.push(...all);
      if (process.env['SHOW'] !== undefined)
        for (const { outcome, note } of all) if (outcome !== 'right') process.stderr.write(`${kind} ${note}\n`);
      for (const [outcome, limit] of Object.entries(LIMITS[kind])) {
        const notes = all.flatMap((each) => (each.outcome === outcome ? [each.note] : []));
        expect(notes.length * 100 > limit * all.length ? notes : []).toEqual([]);
      }
    });
  },
);
