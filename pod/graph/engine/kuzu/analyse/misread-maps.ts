import { allClauses, closing, isMatch, type Clause, type ReadingQuery } from '../../query/clauses';
import { beginsSubquery, type PlacedToken } from '../../query/word-roles';
import { type Misread } from './misread-words';

/** What stands between two brackets, or outside of all. */
interface Level {
  /** Where its values come together: those of one list, of one call or of one condition have one place. */
  readonly place: string;
  /** Values that do not come together are of different parts. */
  part: number;
  /** Of a map: its fields so far. */
  readonly fields: string[] | null;
  readonly token: PlacedToken | undefined;
}

const CONNECTIVES = new Set(['AND', 'OR', 'XOR']);

/**
 * Maps that come together, in a list, a CASE, a comparison, the arguments of a function or a UNION, but have other fields or
 * have them in another order: the engine gives all of them the field names of the last one, by their places.
 */
export const misreadMaps = (query: ReadingQuery): readonly Misread[] => {
  const fieldsByPlace = new Map<string, string>();
  return allClauses(query).flatMap((clause, index) =>
    expressionsOf(clause).flatMap((tokens, which) =>
      mapsIn(tokens, clause.name === 'RETURN' ? '' : `${index}/${which}`).flatMap(({ place, fields, token }) => {
        const own = fields.join();
        const known = fieldsByPlace.get(place) ?? own;
        fieldsByPlace.set(place, known);
        return known === own ? [] : [{ token, message: MESSAGE }];
      }),
    ),
  );
};

const MESSAGE =
  'Maps that come together need the same fields in the same order here: the engine would call them by the names of the last.';

/** What a clause has of expressions; a RETURN of each part of a UNION answers the same columns. */
const expressionsOf = (clause: Clause): readonly (readonly PlacedToken[])[] => [
  ...(isMatch(clause) ? [] : [clause.body]),
  ...(clause.condition === null ? [] : [clause.condition]),
];

interface PlacedMap {
  readonly place: string;
  readonly fields: readonly string[];
  readonly token: PlacedToken;
}

const mapsIn = (tokens: readonly PlacedToken[], region: string): readonly PlacedMap[] => {
  const found: PlacedMap[] = [];
  const levels: Level[] = [{ place: region, part: 0, fields: null, token: undefined }];
  for (let index = 0; index < tokens.length; index++) {
    // Its clauses are looked at for themselves.
    if (beginsSubquery(tokens, index) !== null) index = closing(tokens, index) + 1;
    const [token, level] = [tokens[index], levels.at(-1)];
    if (token === undefined || level === undefined) break;
    const { text, upper, role } = token;
    if (text === '[' || text === '(' || text === '{') {
      const place = `${level.place}/${level.fields?.at(-1) ?? level.part}${text}`;
      levels.push({ place, part: 0, fields: text === '{' ? [] : null, token });
    } else if (text === ']' || text === ')' || text === '}') {
      levels.pop();
      // Of `{a: 1}.a` only the field goes on.
      if (level.fields !== null && level.token !== undefined && tokens[index + 1]?.text !== '.') {
        found.push({ place: level.place, fields: level.fields, token: level.token });
      }
    } else if (
      level.fields !== null &&
      tokens[index + 1]?.text === ':' &&
      '{,'.includes(tokens[index - 1]?.text ?? '')
    ) {
      level.fields.push(text);
    } else if ((text === ',' && levels.length === 1) || (role === 'keyword' && CONNECTIVES.has(upper))) {
      level.part++;
    }
  }
  return found;
};
