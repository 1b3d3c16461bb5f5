import { itself, projection, unwind, variable } from '../../cypher/build';
import { make } from '../../cypher/template';
import { type Clause, type Span } from '../../cypher/tree';

/** Combines equal rows into one with their count, and restores them afterwards. */
interface RepeatedRows {
  readonly names: readonly string[];
  readonly before: Clause;
  readonly after: Clause;
}

export const repeatedRows = (known: readonly string[], newName: () => string, place: Span): RepeatedRows => {
  const rows = newName();
  return {
    names: [...known, rows],
    before: projection('with', [...itself(known, place), [make('count(*)', place), rows]], place),
    after: unwind(make('range(1, _1)', place, variable(rows, place)), newName(), place),
  };
};
