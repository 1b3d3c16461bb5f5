import { isLeft } from 'fp-ts/Either';
import { analyseQuery } from '../../../../pod/graph/engine/cypher/analyse-query';
import { createQueryCache } from '../../../../pod/graph/engine/cypher/query-cache';
import { VOCABULARY } from '../../../../pod/graph/engine/kuzu/vocabulary';
import { left, right } from '../support/loaded-engine';

describe('the analysis of a query', () => {
  test('returns its parameters and whether it can be explained', () => {
    const text = 'EXPLAIN MATCH (n {id: $id}) WHERE n.age > $id RETURN n.age AS return; // end';
    const { explain, parameters, query } = right(analyseQuery(text, VOCABULARY));
    expect([explain, parameters]).toEqual(['EXPLAIN', ['id']]);
    expect(query.parts.map((clauses) => clauses.map(({ kind }) => kind))).toEqual([['match', 'return']]);
  });

  test('rejects unknown names with their place', () => {
    const refused = left(analyseQuery('MATCH (n)\nRETURN m', VOCABULARY));
    expect(refused).toEqual({
      message: expect.stringContaining('Unknown name m') as string,
      position: { line: 2, column: 8 },
    });
    expect(isLeft(analyseQuery('CALL show_tables() RETURN name', VOCABULARY))).toBe(false);
  });

  test('runs once for each text, even the longest', () => {
    const analyse = createQueryCache((text) => analyseQuery(text, VOCABULARY));
    for (const text of ['RETURN 1', `RETURN '${'x'.repeat(99_990)}'`]) expect(analyse(text)).toBe(analyse(text));
  });
});
