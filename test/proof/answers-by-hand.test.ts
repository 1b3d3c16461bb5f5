import { type Graph, type Value } from '../../pod/graph/engine/evaluate/values';
import { type Kind } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import {
  type AnswerByHand,
  ANSWERS_BY_HAND,
  ANSWERS_OF_MANY_BY_HAND,
  ANSWERS_OF_SEVERAL_TYPES,
  ANSWERS_WITHOUT_PROPERTIES,
} from './answers-by-hand/answers-by-hand';
import { GRAPH_BY_HAND, MANY_BY_HAND, OF_SEVERAL_TYPES, WITHOUT_PROPERTIES } from './answers-by-hand/graph-by-hand';
import { askEngine, askExport } from './cypher/engine/ask-engine';
import { tablesOf } from './cypher/engine/graph-tables';
import { valuesOfJson } from './cypher/engine/json-value';
import { loadedTables } from './cypher/engine/loaded-graph';
import { evaluateQuery } from './cypher/evaluate-query';
import { rowsText } from './cypher/rows-text';

const SYSTEMS: readonly (Kind | 'the evaluator')[] = ['the evaluator', 'graphdb_a', 'graphdb_b'];

const GRAPHS: readonly (readonly [string, Graph, Readonly<Record<string, readonly AnswerByHand[]>>])[] = [
  ['a few nodes', GRAPH_BY_HAND, ANSWERS_BY_HAND],
  ['many nodes', MANY_BY_HAND, { 'the first of an order with nulls': ANSWERS_OF_MANY_BY_HAND }],
  ['properties of several types', OF_SEVERAL_TYPES, { 'values of several types': ANSWERS_OF_SEVERAL_TYPES }],
  ['relationships without properties', WITHOUT_PROPERTIES, { 'maps of properties': ANSWERS_WITHOUT_PROPERTIES }],
];

const RULES = { asJson: true, anyOrderInLists: false };

jest.setTimeout(120_000);

describe.each(SYSTEMS)('answers of %s', (system) => {
  describe.each(GRAPHS)('about %s', (_, graph, answers) => {
    let loaded: LoadedEngine | null = null;

    beforeAll(async () => {
      const tables = tablesOf(graph);
      if (typeof tables === 'string') throw new Error(tables);
      if (system !== 'the evaluator') loaded = await loadedTables(system, tables);
    });
    afterAll(() => loaded?.end());

    describe.each(Object.entries(answers))('%s', (_subject, table) => {
      test.each(table)('$text', async ({ text, parameters = {}, rows, rejectedBy, advice = '' }) => {
        const [values = []] = valuesOfJson(JSON.stringify([Object.values(parameters)]));
        const given = new Map<string, Value>(Object.keys(parameters).map((name, at) => [name, values[at] ?? null]));
        const answer =
          loaded === null ? evaluateQuery(text, graph, given) : await askEngine(loaded.engine, text, given);
        if (rejectedBy === system) {
          expect(answer).toMatchObject({ kind: 'refused', message: expect.stringContaining(advice) as string });
          return;
        }
        const rules = { ...RULES, inOrder: / ORDER BY [^})]*$/.test(text) };
        if (answer.kind !== 'rows') throw new Error(answer.message);
        const expected = { columns: answer.columns, rows: valuesOfJson(JSON.stringify(rows)) };
        expect(rowsText(answer, rules)).toBe(rowsText(expected, rules));
        if (loaded === null) return;
        const exported = await askExport(loaded.engine, text, given, answer.columns);
        if (exported.kind === 'rows') expect(rowsText(exported, rules)).toBe(rowsText(expected, rules));
        // What only the pod computes is rejected with advice.
        else expect(exported.message).not.toContain('unexplained');
      });
    });
  });
});
