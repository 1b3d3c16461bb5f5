import { variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { changeExpressions } from '../../cypher/walk';

export const nullMaps: Quirk = {
  id: 'falkordb-null-maps',
  description: 'A map projection of null is a map of nulls.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N {id: 2}) OPTIONAL MATCH (n)-[:E]->(m:N) RETURN m {.id}',
    right: [[null]],
    wrong: [[{ id: null }]],
  },
  rewrite: (query) =>
    changeExpressions(query, (value) =>
      value.kind === 'map_projection'
        ? make('CASE WHEN _1 IS NOT NULL THEN _2 END', value, variable(value.of.text, value.of), value)
        : value,
    ),
};
