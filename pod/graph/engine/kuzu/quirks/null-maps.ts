import { aggregatesIn, combinesRows } from '../../cypher/aggregates';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { expressionsIn } from '../../cypher/walk';
import { withNullable } from './optional-subqueries';

/** For such a query the pod combines the rows. */
export const nullMaps: Quirk = {
  id: 'kuzu-null-maps',
  description: 'DISTINCT and groups do not combine maps that are null.',
  shown: {
    graph:
      "CREATE (:N {id: 1})-[:E]->(:M {id: 5, a: 'x'}), (:N {id: 2}), (:N {id: 3})-[:E]->(:M {id: 6}), (:N {id: 4})",
    query:
      'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m:M) WITH DISTINCT CASE WHEN m IS NOT NULL THEN {id: m.id, a: m.a} END AS x RETURN count(*)',
    right: [[3]],
    wrong: [[4]],
  },
  rewrite: (query) => {
    withNullable(query, (clause, nullable) => {
      if ((clause.kind !== 'with' && clause.kind !== 'return') || !combinesRows(clause)) return;
      const found = clause.items
        .filter(({ value }) => aggregatesIn(value).length === 0)
        .flatMap(({ value }) => [...expressionsIn(value)])
        .find(
          (value) =>
            (value.kind === 'map_projection' && nullable.has(value.of.text)) ||
            (value.kind === 'case' && [...expressionsIn(value)].some(({ kind }) => kind === 'map')),
        );
      if (found !== undefined)
        throw new QueryFault(
          'DISTINCT and groups of maps that may be null are possible for some thousand rows on this kind of instance.',
          found.start,
        );
    });
    return query;
  },
};
