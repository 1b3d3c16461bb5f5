import { createQueryPreparation } from '../../../../../pod/graph/engine/falkordb/query-preparation';
import { EMPTY_SCHEMA } from '../../../../../pod/graph/engine/graph-schema';
import { right } from '../../support/loaded-engine';

describe('the text of a query for FalkorDB', () => {
  const { prepare } = createQueryPreparation();
  const sent = (text: string, parameters: Readonly<Record<string, unknown>> = {}) =>
    right(prepare({ text, parameters }, EMPTY_SCHEMA));

  test.each([
    ['MATCH (n)-[:E]->() RETURN n.a', {}, {}],
    [
      'MATCH (n {id: $a})-[:E]->(m) WHERE m.b > $b RETURN m LIMIT $c',
      { a: 1n, b: 0.5, c: 7n },
      { a: 9n, b: 2.5, c: 8n },
    ],
    ['UNWIND $a AS x MATCH (n) WHERE n.id < x.b RETURN n', { a: [{ b: 1n }] }, { a: [{ b: 2n }, { b: 3n }] }],
    ['MATCH (n $a) RETURN n', { a: { id: 1n } }, { a: { id: 2n } }],
  ])('is prepared once for values of the same types: %s', (text, first, second) => {
    expect(sent(text, second)).toBe(sent(text, first));
  });

  test.each([
    ['MATCH (n) RETURN n LIMIT $a', { a: 1n }, { a: 2n ** 40n }],
    ['UNWIND [1] AS x MATCH (n) RETURN x + $a', { a: 1n }, { a: 2n ** 62n }],
    ['MATCH (n) RETURN toString($a) + n.a', { a: 1n }, { a: 0.5 }],
    ['MATCH (n $a) RETURN n', { a: { id: 1n } }, { a: { name: 'a' } }],
    ['MATCH (n) WHERE n.a =~ $a RETURN n', { a: 'a' }, { a: '\\d' }],
  ])('is another one for other values: %s', (text, first, second) => {
    expect(sent(text, second).text).not.toBe(sent(text, first).text);
  });
});
