import { VOCABULARY } from '../../../../pod/graph/engine/kuzu/query/vocabulary';
import { analyseQuery, createQueryCache } from '../../../../pod/graph/engine/query/analyse-query';

describe('the analysis of a query', () => {
  test('tells its parameters, its columns and the role and depth of each word', () => {
    const query = analyseQuery(
      'EXPLAIN MATCH (n {id: $id}) WHERE n.age > $id RETURN n.age AS return; // end',
      VOCABULARY,
    );
    expect(query.text).toBe('EXPLAIN MATCH (n {id: $id}) WHERE n.age > $id RETURN n.age AS return');
    expect(query.parameters).toEqual(['id']);
    expect(query.result.projections).toEqual([]);
    const clauses = query.tokens.filter(({ role, depth }) => role === 'keyword' && depth === 0);
    expect(clauses.map(({ text }) => text)).toEqual(['MATCH', 'WHERE', 'RETURN', 'AS']);
    expect(analyseQuery('MATCH (n) RETURN n, 1 AS one LIMIT 5', VOCABULARY).result).toMatchObject({
      projections: [{ items: [{ aliased: false }, { aliased: true }] }],
      limited: true,
    });
  });

  test('is made once for each text, also for the longest', () => {
    const analyse = createQueryCache((text) => analyseQuery(text, VOCABULARY));
    for (const text of ['RETURN 1', `RETURN '${'x'.repeat(99_990)}'`]) expect(analyse(text)).toBe(analyse(text));
  });
});
