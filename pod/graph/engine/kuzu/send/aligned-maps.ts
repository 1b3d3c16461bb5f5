import { type Either, left, right } from 'fp-ts/Either';

/**
 * A value whose maps in a list have their fields in the same order: the engine gives all of them the field names of the
 * last one, by their places. Maps with other fields cannot be in one list, and are refused.
 */
export const alignedMaps = (value: unknown): Either<string, unknown> => {
  const fieldsByPlace = new Map<string, readonly string[]>();
  const differing: string[] = [];
  const align = (item: unknown, place: string): unknown => {
    if (Array.isArray(item)) return item.map((part) => align(part, `${place}[]`));
    if (typeof item !== 'object' || item === null) return item;
    const own = new Map<string, unknown>(Object.entries(item));
    const fields = fieldsByPlace.get(place) ?? [...own.keys()];
    fieldsByPlace.set(place, fields);
    if (fields.length !== own.size || !fields.every((field) => own.has(field))) differing.push(place);
    return Object.fromEntries(fields.map((name) => [name, align(own.get(name), `${place}${JSON.stringify(name)}`)]));
  };
  const aligned = align(value, '');
  if (differing.length === 0) return right(aligned);
  return left('all maps in a list need the same fields; give those that miss one a value.');
};
