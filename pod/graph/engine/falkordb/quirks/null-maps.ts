import { variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { changeExpressions } from '../../cypher/walk';

export const nullMaps: Quirk = {
  id: 'falkordb-null-maps',
  description: 'A map projection of null is a map of nulls.',
  rewrite: (query) =>
    changeExpressions(query, (value) =>
      value.kind === 'map_projection'
        ? make('CASE WHEN _1 IS NOT NULL THEN _2 END', value, variable(value.of.text, value.of), value)
        : value,
    ),
};
