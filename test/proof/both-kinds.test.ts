import { type Kind, KINDS } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { bySize, isFullProof } from '../support/proof-size';
import { seedsOfRun } from '../support/seed';
import { type Answer, askEngine } from './cypher/engine/ask-engine';
import { tablesOf } from './cypher/engine/graph-tables';
import { loadedTables } from './cypher/engine/loaded-graph';
import { rowsText } from './cypher/rows-text';
import { queryOfBothKinds, type RandomQuery } from './random-queries/random-query';
import { LARGE, randomWorld, type WorldSize } from './random-queries/random-world';

/** 100,000 nodes and a million edges. */
const HUGE: WorldSize = { nodes: { Person: 60_000, Movie: 25_000, Place: 5_000, Account: 10_000 }, edges: 18_900, isWide: false }; // prettier-ignore
const QUERIES = Number(process.env['QUERIES'] ?? bySize({ sample: 60, full: 5_000 }));
const SIZE = isFullProof ? HUGE : LARGE;
/** The name of the test gives the seed. `SEED=601 npx jest test/proof/both-kinds` repeats it. */
const [FIRST = 1] = seedsOfRun([]);
const TIMEOUT_MS = 10_000;
const MEMORY_BYTES = 6 * 2 ** 30;

/** In percent of the queries. Some answers have too many rows, others take too long. */
const LIMITS = { refused: 5, 'not compared': 20 };

jest.setTimeout(6 * 3_600_000);

type Comparison = 'same' | 'different' | 'refused' | 'not compared' | 'crashed';

const compared = (query: RandomQuery, answers: readonly Answer[]): readonly [Comparison, readonly string[]] => {
  const messages = answers.map((answer) => (answer.kind === 'rows' ? '' : answer.message));
  for (const [kind, comparison] of [
    ['crashed', 'crashed'],
    ['refused', 'refused'],
    ['late', 'not compared'],
  ] as const)
    // prettier-ignore
    if (answers.some((answer) => answer.kind === kind)) return [comparison, messages];
  const tables = answers.flatMap((answer) => (answer.kind === 'rows' ? [answer] : []));
  if (tables.some(({ truncated }) => truncated === true)) return ['not compared', []];
  const [first = '', ...others] = tables.map((table) => rowsText(table, { ...query, asJson: true }));
  if (others.every((other) => other === first)) return ['same', []];
  return ['different', firstDifference([first, ...others])];
};

/** The lines of two texts from the first different one. */
const firstDifference = (texts: readonly string[]): readonly string[] => {
  const lines = texts.map((text) => text.split('\n'));
  const at = (lines[0] ?? []).findIndex((line, index) => lines.some((other) => other[index] !== line));
  const from = at < 0 ? (lines[0]?.length ?? 0) : at;
  return lines.map(
    (all) =>
      `${all.length - 1} rows, from ${from}: ${all
        .slice(from, from + 4)
        .join(' / ')
        .slice(0, 300)}`,
  );
};

describe(`both kinds from seed ${FIRST}`, () => {
  const loaded = new Map<Kind, LoadedEngine>();

  beforeAll(async () => {
    const tables = tablesOf(randomWorld(FIRST, SIZE));
    if (typeof tables === 'string') throw new Error(tables);
    for (const kind of KINDS) loaded.set(kind, await loadedTables(kind, tables, MEMORY_BYTES));
  });
  afterAll(async () => {
    for (const { end } of loaded.values()) await end();
  });

  test('return the same answers', async () => {
    const all: { readonly comparison: Comparison; readonly note: string }[] = [];
    for (let seed = FIRST; seed < FIRST + QUERIES; seed++) {
      const query = queryOfBothKinds(seed);
      const answers = await Promise.all(
        [...loaded.values()].map(({ engine }) => askEngine(engine, query.text, query.parameters, TIMEOUT_MS)),
      );
      const [comparison, lines] = compared(query, answers);
      const parameters = JSON.stringify(Object.fromEntries(query.parameters), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      const note = [`${comparison} ${seed}, ${query.family}: ${query.text} ${parameters}`, ...lines].join('\n  ');
      if (process.env['SHOW'] !== undefined && comparison !== 'same') process.stderr.write(`${note}\n`);
      all.push({ comparison, note });
    }
    const notesOf = (comparison: Comparison): readonly string[] =>
      all.flatMap((each) => (each.comparison === comparison ? [each.note] : []));
    // FalkorDB ends at queries of the huge graph that need too much memory, and starts again.
    expect([...notesOf('different'), ...(isFullProof ? [] : notesOf('crashed'))]).toEqual([]);
    for (const [comparison, limit] of Object.entries(LIMITS) as readonly (readonly [Comparison, number])[]) {
      const notes = notesOf(comparison);
      expect(notes.length * 100 > limit * all.length ? notes : []).toEqual([]);
    }
  });
});
