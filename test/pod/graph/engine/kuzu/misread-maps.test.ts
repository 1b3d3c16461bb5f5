import { isLeft } from 'fp-ts/Either';
import { EMPTY_SCHEMA } from '../../../../../pod/graph/engine/graph-schema';
import { createKuzuPreparation } from '../../../../../pod/graph/engine/kuzu/language';

const refusal = (text: string) => {
  const cured = createKuzuPreparation().cured({ text, parameters: {} }, EMPTY_SCHEMA);
  return isLeft(cured) ? cured.left : null;
};

describe('maps to which Kuzu would give the names of another one', () => {
  test.each([
    ['RETURN [{a: 1, b: 2}, {b: 3, a: 4}]', 23],
    ['RETURN [{a: 1}, {b: 2}]', 17],
    ['UNWIND [{a: 1, b: 2}, {b: 3, a: 4}] AS m RETURN m.a', 23],
    ['RETURN CASE WHEN true THEN {a: 1, b: 2} ELSE {b: 3, a: 4} END', 46],
    ['RETURN coalesce(null, {a: 1, b: 2}, {b: 3, a: 4})', 37],
    ['RETURN {a: 1, b: 2} = {b: 2, a: 1}', 23],
    ['RETURN [{m: {a: 1, b: 2}}, {m: {b: 3, a: 4}}]', 32],
    ['RETURN {a: 1, b: 2} AS x UNION ALL RETURN {b: 3, a: 4} AS x', 43],
    ['MATCH (n) WHERE [{a: 1, b: 2}, {b: 3, a: 4}][1].a = 1 RETURN n', 32],
  ])('%s', (text, column) => {
    expect(refusal(text)).toMatchObject({
      message: expect.stringContaining('same fields in the same order') as string,
      position: { line: 1, column },
    });
  });
});

describe('maps that Kuzu keeps apart', () => {
  test.each([
    'RETURN {a: 1} AS x, {b: 2} AS y',
    'RETURN [{a: 1, b: 2}, {a: 3, b: 4}]',
    'RETURN {p: {x: 1}, q: {y: 2}}',
    'MATCH (n {a: 1})-[r {b: 2}]->(m {c: 3}) RETURN n',
    'MATCH (n) WHERE n.m = {a: 1} AND n.o = {b: 2} RETURN n',
    'MATCH (n) WHERE EXISTS { MATCH (n {a: 1})-->(m {b: 2}) } RETURN n',
    'WITH {a: 1} AS x RETURN {b: 2} AS y, x',
    'RETURN {a: 1}.a + {b: 2}.b',
  ])('%s', (text) => {
    expect(refusal(text)).toBeNull();
  });
});
