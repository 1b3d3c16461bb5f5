import { exactJson } from '../../adapters/client/graph-answer';
import { type Kind, KINDS } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { jsonOf } from '../proof/cypher/engine/ask-engine';
import { comparedAnswer, type Outcome } from '../proof/cypher/engine/compared-answer';
import { tablesOf } from '../proof/cypher/engine/graph-tables';
import { loadedTables } from '../proof/cypher/engine/loaded-graph';
import { type RandomQuery, randomQuery, wideQuery } from '../proof/random-queries/random-query';
import { randomWorld, WIDE, type WorldSize } from '../proof/random-queries/random-world';
import { seedsOfRun } from '../support/seed';
import { askNeo4j, describeWithNeo4j, loadNeo4j } from './support/neo4j-server';

/** `SEED=601 QUERIES=20000 SHOW=1` asks others, and shows all that is not right. */
const QUERIES = Number(process.env['QUERIES'] ?? 1_000);
const QUERIES_EACH = 500;
const [FIRST = 1] = seedsOfRun([]);
/** In percent of the queries; unknown: Neo4j rejects them. */
const LIMITS = { refused: 2, 'refused by the engine': 0, crashed: 0, unknown: 5 } as const;

jest.setTimeout(6 * 3_600_000);

/** What Neo4j decides otherwise than rowgraph. */
const isOtherwise = ({ family, text }: RandomQuery): boolean =>
  // NaN is not equal to NaN in DISTINCT and groups.
  /0\.0 \/ 0\.0/.test(text) ||
  // A sum beyond 64 bits is not an error, and an average does not need the sum.
  family === 'great and special numbers' ||
  // Maps have an order.
  (family === 'parameters of all types' && /<|>|ORDER BY/.test(text)) ||
  // A number with spaces is not a number.
  /to(?:Integer|Float)\(\$/.test(text) ||
  // An aggregate of no rows is a row in CALL, but not in EXISTS, COUNT and COLLECT.
  /(?:EXISTS|COUNT|COLLECT) \{[^}]*\b(?:count|max|collect)\(/.test(text);

describeWithNeo4j(`Neo4j and both kinds from seed ${FIRST}`, () => {
  it.each<readonly [string, (seed: number) => RandomQuery, Partial<WorldSize>]>([
    ['random queries', randomQuery, {}],
    ['random queries of values of several types, nulls and unusual names', wideQuery, WIDE],
  ])('return the same answers to %s', async (_title, queryOf, size) => {
    const outcomes: { readonly outcome: Outcome; readonly note: string }[] = [];
    for (let first = FIRST; first < FIRST + QUERIES; first += QUERIES_EACH) {
      const graph = randomWorld(first, { nodes: {}, edges: 1, isWide: false, ...size, isFinite: true });
      const tables = tablesOf(graph);
      if (typeof tables === 'string') throw new Error(tables);
      await loadNeo4j(graph);
      const loaded: (readonly [Kind, LoadedEngine])[] = [];
      for (const kind of KINDS) loaded.push([kind, await loadedTables(kind, tables)]);
      for (let seed = first; seed < first + QUERIES_EACH; seed++) {
        const query = queryOf(seed);
        if (isOtherwise(query)) continue;
        const expected = await askNeo4j(query.text, query.parameters);
        for (const [kind, { engine }] of loaded) {
          const { outcome, lines } = await comparedAnswer(engine, expected, query);
          const asked = `${kind} ${outcome} ${seed}, ${query.family}: ${query.text} ${exactJson(jsonOf(query.parameters))}`;
          outcomes.push({ outcome, note: [asked, ...lines].join('\n  ') });
        }
      }
      for (const [, { end }] of loaded) await end();
    }
    const notesOf = (outcome: Outcome): readonly string[] =>
      outcomes.flatMap((each) => (each.outcome === outcome ? [each.note] : []));
    if (process.env['SHOW'] !== undefined)
      for (const { outcome, note } of outcomes) if (outcome !== 'right') process.stderr.write(`${note}\n`);
    process.stderr.write(`${notesOf('right').length} of ${outcomes.length} answers are those of Neo4j.\n`);
    expect(notesOf('wrong')).toEqual([]);
    for (const [outcome, limit] of Object.entries(LIMITS) as readonly (readonly [Outcome, number])[]) {
      const notes = notesOf(outcome);
      expect(notes.length * 100 > limit * outcomes.length ? notes : []).toEqual([]);
    }
  });
});
