import { operandsOf } from '../../cypher/aggregates';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type Expression, type MapLiteral } from '../../cypher/tree';
import { clausesIn } from '../../cypher/walk';

/**
 * Maps that are combined in a list, a CASE, a comparison, the arguments of a function or a UNION, but have different
 * fields or another order of fields: the engine uses the field names of the last one for all, by position.
 */
export const mixedMaps: Quirk = {
  id: 'kuzu-mixed-maps',
  description: 'Maps of the same column get the field names of the last map.',
  shown: {
    query: 'UNWIND [{a: 1, b: 2}, {b: 3, a: 4}] AS m RETURN m.a',
    right: [[1], [4]],
    wrong: [[2], [4]],
  },
  rewrite: (query) => {
    const fieldsByPlace = new Map<string, string>();
    for (const [index, clause] of [...clausesIn(query)].entries()) {
      for (const { place, map } of expressionsOf(clause, index).flatMap(([value, region]) => mapsIn(value, region))) {
        const own = JSON.stringify(map.entries.map(({ key }) => key.text));
        const known = fieldsByPlace.get(place) ?? own;
        fieldsByPlace.set(place, known);
        if (known !== own) throw new QueryFault(MESSAGE, map.start);
      }
    }
    return query;
  },
};

const MESSAGE =
  'Maps that are combined need the same fields in the same order on this kind of instance: it would name all fields as in the last map.';

/** The expressions of a clause with their places; the RETURN clauses of all parts of a UNION have the same columns. */
const expressionsOf = (clause: Clause, index: number): readonly (readonly [Expression, string])[] => {
  if (clause.kind === 'call_query') return [];
  const where = 'where' in clause && clause.where !== null ? [clause.where] : [];
  const values = clause.kind === 'unwind' ? [clause.list] : clause.kind === 'call_procedure' ? clause.arguments : [];
  const items = clause.kind === 'with' || clause.kind === 'return' ? clause.items : [];
  return [
    ...items.map(({ value }, item) => [value, `${clause.kind === 'return' ? '' : index}/${item}`] as const),
    ...[...where, ...values].map((value, at) => [value, `${index}/where ${at}`] as const),
  ];
};

/**
 * A map, and the place where it is combined with others: maps of one item have one place, except for fields and
 * conditions in it.
 */
interface PlacedMap {
  readonly place: string;
  readonly map: MapLiteral;
}

const mapsIn = (value: Expression, place: string): readonly PlacedMap[] => {
  if (value.kind === 'map') {
    const inside = value.entries.flatMap((entry) => mapsIn(entry.value, `${place}/${JSON.stringify(entry.key.text)}`));
    return [{ place, map: value }, ...inside];
  }
  // The map of `{a: 1}.a` and the maps in a condition are not part of the value.
  const isApart = value.kind === 'property' || (value.kind === 'binary' && /^(AND|OR|XOR)$/.test(value.operator));
  return operandsOf(value).flatMap((operand, index) =>
    mapsIn(operand, isApart ? `${place}/${value.start} ${index}` : place),
  );
};
