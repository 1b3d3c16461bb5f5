import { variable } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { make } from '../../cypher/template';
import { changeExpressions } from '../../cypher/walk';

/** A map projection of null is a map of nulls. */
export const nullMaps: Cure = (query) =>
  changeExpressions(query, (value) =>
    value.kind === 'map_projection'
      ? make('CASE WHEN _1 IS NOT NULL THEN _2 END', value, variable(value.of.text, value.of), value)
      : value,
  );
