import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { engineOfKind } from '../support/engine-of-kind';
import { type LoadedEngine, loadedEngine, scratchDirectory } from '../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot } from '../support/snapshot';

const GUIDE = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'guides', 'kinds.md'), 'utf8');

/** A query of the guide and the answer beside it. */
interface Example {
  readonly query: string;
  readonly answer: string;
  readonly warns: boolean;
}

const exampleOf = (cell: string): Example | null => {
  const [, query, answer, rest = ''] = /^`([^`]+)` → `([^`]+)`(.*)$/.exec(cell) ?? [];
  return query === undefined || answer === undefined ? null : { query, answer, warns: rest.includes('warning') };
};

/** The lines of the guide that have queries: their subject, and an example for each kind. */
const lines = GUIDE.split('\n').flatMap((line): readonly (readonly [string, Example, Example])[] => {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  const [, title = '', first = '', second = ''] = cells;
  const duckdb = exampleOf(first);
  const other = second === 'the same' ? duckdb : exampleOf(second);
  return duckdb === null || other === null ? [] : [[title, duckdb, other]];
});

describe('the guide to both kinds', () => {
  let snapshot: Snapshot;
  let duckdb: LoadedEngine;
  let falkor: LoadedEngine;

  beforeAll(async () => {
    snapshot = await createSnapshot();
    await snapshot.export(
      'nodes/Account',
      `SELECT * FROM (VALUES
         ('a', 'Ann', DATE '1998-03-01', TIMESTAMP '2024-05-01 10:30:00', 7::BIGINT, ['x', 'y']),
         ('b', 'Ben', DATE '2011-07-15', TIMESTAMP '2024-05-02 08:00:00', 2, ['x']),
         ('c', '', NULL, NULL, NULL, [])) AS t(id, owner, opened, seen, cards, tags)`,
    );
    await snapshot.export(
      'edges/PAID',
      `SELECT * FROM (VALUES ('a', 'b', 10.5::DOUBLE), ('a', 'b', 20), ('b', 'c', 5), ('c', 'a', 1), ('a', 'a', 3))
         AS t(payer, payee, amount)`,
    );
    const property = (name: string, type: 'STRING' | 'DATE' | 'TIMESTAMP' | 'INT64' | 'LIST' | 'DOUBLE') => ({
      name,
      type,
    });
    const mapping = mappingOf(snapshot, {
      node_definitions: [
        {
          label: 'Account',
          primary_key: { name: 'id', type: 'STRING' },
          properties: [
            property('owner', 'STRING'),
            property('opened', 'DATE'),
            property('seen', 'TIMESTAMP'),
            property('cards', 'INT64'),
            property('tags', 'LIST'),
          ],
        },
      ],
      edge_definitions: [
        {
          type: 'PAID',
          from_node: 'Account',
          from_key: 'payer',
          to_node: 'Account',
          to_key: 'payee',
          properties: [property('amount', 'DOUBLE')],
        },
      ],
    });
    const [one, other] = [await scratchDirectory(), await scratchDirectory()];
    duckdb = await loadedEngine(engineOfKind('graphdb_a', one), mapping, snapshot, one);
    falkor = await loadedEngine(engineOfKind('graphdb_b', other), mapping, snapshot, other);
  });

  afterAll(async () => {
    await Promise.all([duckdb.end(), falkor.end()]);
    await snapshot.remove();
  });

  /** The answer in the form of the guide: one value, rows, or the reason of a rejection. */
  const answerOf = async ({ engine }: LoadedEngine, { query, answer }: Example) => {
    const { refusal } = engine.analyse(query);
    const result = await engine.query({ text: query, parameters: {}, timeoutMs: 20_000 });
    if (refusal !== null || isLeft(result)) {
      const message = refusal?.message ?? JSON.stringify(isLeft(result) ? result.left : '');
      const expected = answer.replace(/^400 /, '');
      return { query, answer: message.includes(expected) ? `400 ${expected}` : message, warns: false };
    }
    const { rowsJson, rowCount, columns, warnings = [] } = result.right;
    const isOneValue = rowCount === 1 && columns.length === 1;
    return { query, answer: isOneValue ? rowsJson.slice(2, -2) : rowsJson, warns: warnings.length > 0 };
  };

  test('has an answer of both kinds in each line', () => {
    expect(lines.length).toBeGreaterThan(25);
    const shown = GUIDE.match(/` → `/g)?.length ?? 0;
    const same = GUIDE.match(/\| the same +\|/g)?.length ?? 0;
    expect(shown + same).toBe(2 * lines.length);
  });

  test.each(lines)('%s', async (_, first, second) => {
    expect(await answerOf(duckdb, first)).toEqual(first);
    expect(await answerOf(falkor, second)).toEqual(second);
  });
});
