import { name } from '../cypher/build';
import { itemName } from '../cypher/column-titles';
import { type CureContext } from '../cypher/cure';
import { shape } from '../cypher/shape';
import { type Clause, type Query } from '../cypher/tree';

/** A query with names for columns that are written alike for the engine, as `size(x)` and `char_length(x)`. */
export const withNamedColumns = (query: Query, { newName }: CureContext): Query => {
  const names: string[] = [];
  const named = (clause: Clause): Clause => {
    if (clause.kind !== 'return') return clause;
    const shapes = clause.items.map(({ value }) => shape(value));
    const items = clause.items.map((item, at) =>
      itemName(item) === undefined && shapes.indexOf(shapes[at] ?? '') < at
        ? { ...item, alias: name((names[at] ??= newName()), item) }
        : item,
    );
    return { ...clause, items };
  };
  return { ...query, parts: query.parts.map((clauses) => clauses.map(named)) };
};
