import { analyseQuery, type AnalysedQuery } from '../../query/analyse-query';
import { allClauses, closing, isMatch, type Clause, type ReadingQuery } from '../../query/clauses';
import { positionAt, beginsSubquery, type PlacedToken } from '../../query/cypher-tokens';
import { labelFunctions, type Misread } from './engine-edits';
import { VOCABULARY } from './vocabulary';

/** Analyses a text with the vocabulary of Kuzu, and rejects what Kuzu would silently read as something else. */
export const analyseKuzuQuery = (text: string): AnalysedQuery => {
  const analysed = analyseQuery(text, VOCABULARY);
  if (analysed.refusal !== null) return analysed;
  const noLabels = labelFunctions(analysed.tokens).filter((rewording) => 'message' in rewording);
  const [wrong] = [...noLabels, ...misreadWords(analysed.tokens), ...misreadMaps(analysed.query)];
  if (wrong === undefined) return analysed;
  return { ...analysed, refusal: { message: wrong.message, position: positionAt(text, wrong.token.start) } };
};

type Tokens = readonly PlacedToken[];

/** Calls that return lists, which `reverse` turns into text. */
const LISTS = /^(COLLECT|NODES|RELS|RELATIONSHIPS|RANGE|KEYS|LIST_\w+|STRING_SPLIT)$/;

const misreadWords = (tokens: Tokens): readonly Misread[] =>
  tokens.flatMap((token, index): readonly Misread[] => {
    if (token.text === '[') return zeroIndex(tokens, index);
    if (token.role !== 'name' || tokens[index + 1]?.text !== '(' || tokens[index - 1]?.text === '.') return [];
    const first = tokens[index + 2];
    if (token.upper === 'SIZE' && first?.text === '(' && isPattern(tokens, index + 2)) {
      return [
        {
          token,
          message: `size does not accept patterns on this kind of instance: write COUNT { MATCH … } around it.`,
        },
      ];
    }
    if (token.upper === 'REVERSE' && (first?.text === '[' || LISTS.test(first?.upper ?? ''))) {
      return [{ token, message: 'reverse is for strings on this kind of instance; reverse a list by list_reverse.' }];
    }
    return token.upper === 'SUBSTRING' || token.upper === 'SUBSTR' ? zeroPosition(tokens, index) : [];
  });

/** `list[0]`: an error of the engine where it is a list, and an empty text where it is a text. */
const zeroIndex = (tokens: Tokens, index: number): readonly Misread[] => {
  const [before, zero, close] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
  const ofLabels = before?.text === ')' && tokens[index - 4]?.upper === 'LABELS';
  if (!endsOperand(before) || ofLabels || zero === undefined || !isZero(zero) || close?.text !== ']') return [];
  return [{ token: zero, message: 'List indexes start at 1 on this kind of instance: [1] is the first element.' }];
};

/** `substring(text, 0, 2)`. */
const zeroPosition = (tokens: Tokens, index: number): readonly Misread[] => {
  const [open, close] = [index + 1, closing(tokens, index + 1)];
  const comma = tokens
    .slice(open, close)
    .findIndex(({ text, depth }) => text === ',' && depth === (tokens[open]?.depth ?? 0) + 1);
  const [zero, next] = [tokens[open + comma + 1], tokens[open + comma + 2]];
  if (comma < 0 || zero === undefined || !isZero(zero) || (next?.text !== ',' && next?.text !== ')')) return [];
  return [
    {
      token: zero,
      message:
        'String positions start at 1 on this kind of instance: substring(text, 1, 2) begins at the first character.',
    },
  ];
};

const isZero = ({ kind, text }: PlacedToken): boolean => kind === 'number' && /^0+$/.test(text);

/** Whether the parenthesis is the first node of `(a)-[…]->(b)`. */
const isPattern = (tokens: Tokens, open: number): boolean => {
  const close = closing(tokens, open);
  const [dash, after] = [tokens[close + 1]?.text, tokens[close + 2]?.text];
  return (dash === '-' && (after === '[' || after === '-')) || (dash === '<' && after === '-');
};

const endsOperand = (token: PlacedToken | undefined): boolean =>
  token?.kind === 'symbol' ? [')', ']', '}'].includes(token.text) : token?.role !== 'keyword' && token !== undefined;

/** The tokens between two brackets, or outside all of them. */
interface Level {
  /** Where its values are combined: those of one list, of one call or of one condition have one place. */
  readonly place: string;
  /** Values that are not combined are in different parts. */
  part: number;
  /** Of a map: its fields so far. */
  readonly fields: string[] | null;
  readonly token: PlacedToken | undefined;
}

const CONNECTIVES = new Set(['AND', 'OR', 'XOR']);

/**
 * Maps that are combined in a list, a CASE, a comparison, the arguments of a function or a UNION, but have other fields or
 * another order of them: the engine gives all of them the field names of the last one, by position.
 */
const misreadMaps = (query: ReadingQuery): readonly Misread[] => {
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
  'Maps that are combined need the same fields in the same order on this kind of instance: it would name all fields as in the last map.';

/** The expressions of a clause; the RETURN of each part of a UNION makes the same columns. */
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
    // Its clauses are checked on their own.
    if (beginsSubquery(tokens, index) !== null) index = closing(tokens, index) + 1;
    const [token, level] = [tokens[index], levels.at(-1)];
    if (token === undefined || level === undefined) break;
    const { text, upper, role } = token;
    if (text === '[' || text === '(' || text === '{') {
      const place = `${level.place}/${level.fields?.at(-1) ?? level.part}${text}`;
      levels.push({ place, part: 0, fields: text === '{' ? [] : null, token });
    } else if (text === ']' || text === ')' || text === '}') {
      levels.pop();
      // Of `{a: 1}.a` only the field remains.
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
