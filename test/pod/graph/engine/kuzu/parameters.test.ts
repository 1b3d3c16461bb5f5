import { isLeft } from 'fp-ts/Either';
import { analyseQuery } from '../../../../../pod/graph/engine/cypher/analyse-query';
import { printQuery } from '../../../../../pod/graph/engine/cypher/print-query';
import { type Expression } from '../../../../../pod/graph/engine/cypher/tree';
import { changeExpressions } from '../../../../../pod/graph/engine/cypher/walk';
import { KUZU_DIALECT } from '../../../../../pod/graph/engine/kuzu/dialect';
import { sentParameters } from '../../../../../pod/graph/engine/kuzu/query/parameters';
import { VOCABULARY } from '../../../../../pod/graph/engine/kuzu/vocabulary';
import { left, right } from '../../support/loaded-engine';

const sent = (text: string, parameters: Record<string, unknown>, writeAll = false) =>
  sentParameters(right(analyseQuery(text, VOCABULARY)), parameters, writeAll);
const printed = (value: Expression): string => {
  const { query } = right(analyseQuery('RETURN $value', VOCABULARY));
  return printQuery(
    changeExpressions(query, (part) => (part.kind === 'parameter' ? value : part)),
    KUZU_DIALECT,
  ).text.replace(/^RETURN /, '');
};
const literals = (written: ReadonlyMap<string, Expression>): readonly string[] => [...written.values()].map(printed);

describe('parameters of Kuzu', () => {
  test('each is bound or written into the text, independently of the others', () => {
    const parameters = { ids: [1n, null, 2n], names: ['a'], yes: [true], half: 0.5, name: 'x', none: null, empty: [] };
    const { bound, written } = right(sent('RETURN $ids, $names, $yes, $half, $name, $none, $empty', parameters));
    const { names, yes, half, name } = parameters;
    expect(bound).toEqual({ ids: [1, null, 2], names, yes, half, name });
    expect(literals(written)).toEqual(['null', '[]']);
  });

  test.each([
    [1, '1.0'],
    [2n ** 53n + 1n, '9007199254740993'],
    [[1.5, 2, 2n, null, -0], "CAST('[1.5,2.0,2,null,-0.0]' AS DOUBLE[])"],
    [[null, 7n], "CAST('[null,7]' AS INT64[])"],
    [[2n ** 53n + 1n], "CAST('[9007199254740993]' AS INT64[])"],
    [[null, false], "CAST('[null,false]' AS BOOL[])"],
    [[2 ** 70], "CAST('[1.1805916207174113e21]' AS DOUBLE[])"],
    [[null, "it's"], "[null, 'it\\'s']"],
    [[1n, 1, 'a', true], "[1, 1.0, 'a', true]"],
    [
      [
        { a: 1n, b: 2 },
        { b: 3, a: 4n },
      ],
      '[{`a`: 1, `b`: 2.0}, {`a`: 4, `b`: 3.0}]',
    ],
  ])('%p is written as %s', (value, words) => {
    expect(literals(right(sent('RETURN $value', { value })).written)).toEqual([words]);
  });

  test.each([
    [[{ a: 1 }, { b: 2 }], 'same fields'],
    [{ list: [{ a: { b: 1 } }, { a: { c: 1 } }] }, 'same fields'],
    [{ 'a, b': 1 }, '"a, b" cannot be a map key'],
    [[[2n ** 53n + 1n], [0.5]], '2^53'],
    [[Infinity], 'finite'],
  ])('%p would be returned as a different value and is rejected', (value, words) => {
    const message = expect.stringContaining(words) as string;
    expect(left(sent('RETURN $value', { value }))).toMatchObject({ kind: 'rejected', message });
  });

  test('a query has at most 1,000 items written out, including those in its text', () => {
    const texts = (count: number) => [null, ...Array.from({ length: count - 1 }, String)];
    const list = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    expect(isLeft(sent('RETURN $few, $names', { few: [], names: texts(1_000) }))).toBe(false);
    const refused = left(sent('RETURN $few, $names', { few: [], names: texts(1_001) }));
    expect(refused).toMatchObject({ kind: 'rejected', message: expect.stringContaining('Parameter names') as string });
    expect(isLeft(sent(`RETURN ${list(500)}, $names`, { names: texts(500) }))).toBe(false);
    expect(isLeft(sent(`RETURN ${list(501)}, $names`, { names: texts(500) }))).toBe(true);
    expect(isLeft(sent('RETURN $names, $names', { names: texts(501) }))).toBe(true);
    expect(isLeft(sent('RETURN $names', { names: texts(1_001).slice(1) }, true))).toBe(false);
    expect(isLeft(sent('RETURN $ids', { ids: Array.from({ length: 30_000 }, (_, id) => BigInt(id)) }, true))).toBe(
      false,
    );
  });

  test('the items of a text are those of lists, maps and calls', () => {
    // Whether the text is accepted with a parameter whose items leave room for `count` more.
    const takes = (text: string, count: number) =>
      !isLeft(sent(`${text}, $names`, { names: [null, ...Array.from({ length: 1_000 - count - 1 }, String)] }));
    expect(takes('MATCH (a), (b) RETURN a, b', 0)).toBe(true);
    const nine = 'RETURN [], [1], [1, 2, 3], {a: 1, b: [2]}, size([1]), coalesce(1, 2)';
    expect([takes(nine, 9), takes(nine, 8)]).toEqual([true, false]);
    const refused = left(sent(`RETURN\n [${'1,'.repeat(1_000)}2]`, {}));
    expect(refused).toMatchObject({ kind: 'rejected', position: { line: 2, column: 2_003 } });
  });
});
