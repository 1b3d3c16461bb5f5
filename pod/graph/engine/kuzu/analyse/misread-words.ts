import { closing } from '../../query/clauses';
import { type PlacedToken } from '../../query/word-roles';

/** A part of a query that means something else to this engine than in openCypher, without a word. */
export interface Misread {
  readonly token: PlacedToken;
  readonly message: string;
}

type Tokens = readonly PlacedToken[];

/** Calls that answer lists, of which `reverse` makes text. */
const LISTS = /^(COLLECT|NODES|RELS|RELATIONSHIPS|RANGE|KEYS|LIST_\w+|STRING_SPLIT)$/;

export const misreadWords = (tokens: Tokens): readonly Misread[] =>
  tokens.flatMap((token, index): readonly Misread[] => {
    if (token.text === '[') return zeroIndex(tokens, index);
    if (token.role !== 'name' || tokens[index + 1]?.text !== '(' || tokens[index - 1]?.text === '.') return [];
    const first = tokens[index + 2];
    if (token.upper === 'SIZE' && first?.text === '(' && isPattern(tokens, index + 2)) {
      return [{ token, message: `size takes no pattern here: write COUNT { MATCH … } around it.` }];
    }
    if (token.upper === 'REVERSE' && (first?.text === '[' || LISTS.test(first?.upper ?? ''))) {
      return [{ token, message: 'reverse is for texts here; a list is reversed by list_reverse.' }];
    }
    return token.upper === 'SUBSTRING' || token.upper === 'SUBSTR' ? zeroPosition(tokens, index) : [];
  });

/** `list[0]`: an error of the engine where it is a list, and an empty text where it is a text. */
const zeroIndex = (tokens: Tokens, index: number): readonly Misread[] => {
  const [before, zero, close] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
  const ofLabels = before?.text === ')' && tokens[index - 4]?.upper === 'LABELS';
  if (!endsOperand(before) || ofLabels || zero === undefined || !isZero(zero) || close?.text !== ']') return [];
  return [{ token: zero, message: 'Lists count from 1 on this kind of instance: [1] is the first element.' }];
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
      message: 'Texts count from 1 on this kind of instance: substring(text, 1, 2) begins at the first character.',
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
