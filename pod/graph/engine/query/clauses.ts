import { beginsSubquery, words, type PlacedToken, type SubqueryWord } from './cypher-tokens';

/** A clause that reads, up to the next one. */
export interface Clause {
  readonly name: 'MATCH' | 'OPTIONAL MATCH' | 'UNWIND' | 'CALL' | 'WITH' | 'RETURN';
  /** The tokens between the name and WHERE. */
  readonly body: readonly PlacedToken[];
  /** The tokens after WHERE; null without one. */
  readonly condition: readonly PlacedToken[] | null;
  readonly subqueries: readonly Subquery[];
}

/** The query in the braces of `CALL { … }`, `EXISTS { … }` or `COUNT { … }`. */
export interface Subquery {
  readonly word: SubqueryWord;
  readonly query: ReadingQuery;
}

/** Clauses, in parts when there is a UNION. */
export interface ReadingQuery {
  readonly parts: readonly (readonly Clause[])[];
  /** Its parts are combined by UNION, which keeps one of equal rows, and never by UNION ALL. */
  readonly unionIsDistinct: boolean;
}

const FIRST_WORDS = words('OPTIONAL MATCH UNWIND CALL WITH RETURN UNION');

/** Splits a statement or a subquery into clauses; `tokens` begin with the first one. */
export const readingQuery = (tokens: readonly PlacedToken[]): ReadingQuery => {
  const starts = tokens.flatMap((_, index) => (beginsClause(tokens, index) ? [index] : []));
  const pieces = starts.map((start, at) => tokens.slice(start, starts[at + 1]));
  const parts: Clause[][] = [[]];
  const unions: boolean[] = [];
  for (const piece of pieces) {
    const [first, second] = piece;
    if (first?.upper === 'UNION') {
      unions.push(second?.upper !== 'ALL');
      parts.push([]);
    } else parts.at(-1)?.push(clauseOf(piece));
  }
  return { parts, unionIsDistinct: unions.length > 0 && unions.every((isDistinct) => isDistinct) };
};

/** All clauses, those of subqueries included. */
export const allClauses = (query: ReadingQuery): readonly Clause[] => allParts(query).flat();

/** The parts of a query, and those of its subqueries. */
export const allParts = (query: ReadingQuery): readonly (readonly Clause[])[] => [
  ...query.parts,
  ...query.parts.flat().flatMap(({ subqueries }) => subqueries.flatMap((subquery) => allParts(subquery.query))),
];

export const isMatch = ({ name }: Clause): boolean => name === 'MATCH' || name === 'OPTIONAL MATCH';

const beginsClause = (tokens: readonly PlacedToken[], index: number): boolean => {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (token?.role !== 'keyword' || token.depth !== tokens[0]?.depth || !FIRST_WORDS.has(token.upper)) return false;
  if (before?.role !== 'keyword') return true;
  if (token.upper === 'MATCH') return before.upper !== 'OPTIONAL';
  return token.upper !== 'WITH' || (before.upper !== 'STARTS' && before.upper !== 'ENDS');
};

const NAMES: Readonly<Record<string, Clause['name']>> = {
  OPTIONAL: 'OPTIONAL MATCH',
  MATCH: 'MATCH',
  UNWIND: 'UNWIND',
  CALL: 'CALL',
  WITH: 'WITH',
};

const clauseOf = (piece: readonly PlacedToken[]): Clause => {
  const [first] = piece;
  const name = NAMES[first?.upper ?? ''] ?? 'RETURN';
  const tokens = piece.slice(name === 'OPTIONAL MATCH' ? 2 : 1);
  const where = tokens.findIndex(
    ({ role, upper, depth }) => role === 'keyword' && upper === 'WHERE' && depth === first?.depth,
  );
  return {
    name,
    body: where < 0 ? tokens : tokens.slice(0, where),
    condition: where < 0 ? null : tokens.slice(where + 1),
    subqueries: subqueriesIn(piece),
  };
};

const subqueriesIn = (tokens: readonly PlacedToken[]): readonly Subquery[] => {
  const found: Subquery[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const word = beginsSubquery(tokens, index);
    if (word === null) continue;
    const end = closing(tokens, index);
    found.push({ word, query: readingQuery(tokens.slice(index + 1, end)) });
    index = end;
  }
  return found;
};

/** Index of the bracket that closes the one at an index; the end of the tokens when none does. */
export const closing = (tokens: readonly PlacedToken[], open: number): number => {
  const depth = tokens[open]?.depth ?? 0;
  let index = open + 1;
  while (index < tokens.length && (tokens[index]?.depth ?? 0) > depth) index++;
  return index;
};

/** Pieces between the commas that stand outside of all brackets. */
export const commaParts = (tokens: readonly PlacedToken[]): readonly (readonly PlacedToken[])[] => {
  const parts: PlacedToken[][] = [[]];
  for (const token of tokens) {
    if (token.text === ',' && token.depth === tokens[0]?.depth) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
};
