import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type DuckdbSession, openDuckdb } from '../../pod/graph/duckdb/duckdb-session';
import { loadMultigraph, type Multigraph } from '../pod/graph/engine/counting/multigraph';
import { type Kind, KINDS } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { bySize } from '../support/proof-size';
import { seedsOfRun } from '../support/seed';
import { bruteForce } from './random-patterns/brute-force';
import { cypherText } from './random-patterns/cypher-text';
import { randomGraph, RandomPatternQuery } from './random-patterns/random-pattern-query';
import { sqlText } from './random-patterns/sql-text';

const GRAPHS = bySize({ sample: 1, full: 5 });
const QUERIES_EACH = bySize({ sample: 60, full: 400 });
/** The name of a test gives its seed. `SEED=401 npx jest test/proof/random-patterns` repeats it. */
const [FIRST = 1, ...FOUND] = seedsOfRun([251]);

/** One in this many queries counts walks. */
const WALKS_EACH = 4;

jest.setTimeout(600_000);

type Rows = readonly (readonly (number | null)[])[];

/** Rows as one text, in order if the query is ordered. */
const inOneText = (rows: Rows, isOrdered: boolean): string => {
  const texts = rows.map((row) => JSON.stringify(row));
  return (isOrdered ? texts : texts.sort()).join(' ');
};

const openTables = async ({ nodes, edges }: Multigraph, directory: string): Promise<DuckdbSession> => {
  const session = await openDuckdb({ memoryBytes: 2 ** 29, threads: 1, scratchDirectory: directory });
  // This optimizer drops columns of a UNION that a condition between joined tables needs.
  await session.run("SET disabled_optimizers = 'unused_columns'");
  const values = (rows: readonly string[]): string => rows.map((row) => `(${row})`).join(', ');
  await session.run(
    `CREATE TABLE nodes AS SELECT * FROM (VALUES ${values(nodes.map(({ id, label }) => `${id}, '${label}'`))}) AS t(id, label)`,
  );
  const ends = edges.map(({ type, from, to, w }) => `'${type}', ${from}, ${to}, ${w}`);
  await session.run(`CREATE TABLE edges AS SELECT * FROM (VALUES ${values(ends)}) AS t(type, src, dst, w)`);
  return session;
};

const sqlRows = async (session: DuckdbSession, sql: string): Promise<Rows> =>
  (await session.rows(sql)).map((row) => Object.values(row).map((value) => (value === null ? null : Number(value))));

describe.each([...new Set([...Array.from({ length: GRAPHS }, (_, index) => FIRST + index * QUERIES_EACH), ...FOUND])])(
  'random patterns from seed %i',
  (first) => {
    const graph = randomGraph(first);
    const engines = new Map<Kind, LoadedEngine>();
    let directory = '';
    let tables: DuckdbSession;
    const refused: string[] = [];

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'rowgraph-patterns-'));
      tables = await openTables(graph, directory);
      for (const kind of KINDS) engines.set(kind, await loadMultigraph(kind, graph));
    });
    afterAll(async () => {
      for (const loaded of engines.values()) await loaded.end();
      tables.close();
      await rm(directory, { recursive: true });
    });

    /** The unexpected answer of a kind without a warning; null: none. Counts rejected queries. */
    const silentDifference = async (kind: Kind, text: string, walks: boolean, isOrdered: boolean, expected: string) => {
      const answer = await engines.get(kind)!.engine.query({ text, parameters: {}, timeoutMs: 20_000, walks });
      if (isLeft(answer)) {
        refused.push(`${kind}: ${text}`);
        return null;
      }
      const { rowsJson, warnings = [] } = answer.right;
      const found = inOneText(JSON.parse(rowsJson) as Rows, isOrdered);
      return found === expected || warnings.length > 0 ? null : found;
    };

    test('return all trails, and some queries all walks, on both kinds, or have a warning', async () => {
      const findings: string[] = [];
      for (let seed = first; seed < first + QUERIES_EACH; seed++) {
        const query = new RandomPatternQuery(seed).query();
        const walks = seed % WALKS_EACH === 0;
        const rows = bruteForce(graph, query, walks);
        if (rows === null) continue;
        const isOrdered = query.branches.every((parts) => parts.at(-1)?.projection.limit !== null);
        const expected = inOneText(rows, isOrdered);
        const text = cypherText(query);
        const note = (by: string, found: string): void => {
          findings.push(
            `${seed}, ${by}${walks ? ', walks' : ''}: ${text}\n  ${found.slice(0, 300)}\n  instead of ${expected.slice(0, 300)}`,
          );
        };
        const bySql = inOneText(await sqlRows(tables, sqlText(query, walks)), isOrdered);
        if (bySql !== expected) note('SQL', bySql);
        for (const kind of KINDS) {
          const found = await silentDifference(kind, text, walks, isOrdered, expected);
          if (found !== null) note(kind, found);
        }
      }
      expect(findings).toEqual([]);
      expect(refused.length).toBeLessThan(QUERIES_EACH / 10);
    });
  },
);
