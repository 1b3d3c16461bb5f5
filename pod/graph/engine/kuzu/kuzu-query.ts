import { analyseQuery, type AnalysedQuery } from '../query/analyse-query';
import { positionAt } from '../query/cypher-tokens';
import { type PlacedToken } from '../query/word-roles';
import { labelFunctions, type Rewording } from './label-functions';
import { VOCABULARY } from './vocabulary';

/** Analyses a text with the words of Kuzu, and refuses what would mean something else to it without a word. */
export const analyseKuzuQuery = (text: string): AnalysedQuery => {
  const analysed = analyseQuery(text, VOCABULARY);
  if (analysed.refusal !== null) return analysed;
  const wrong = [...labelFunctions(analysed.tokens).filter(isRefused), ...zeroIndexes(analysed.tokens)][0];
  if (wrong === undefined) return analysed;
  return { ...analysed, refusal: { message: wrong.message, position: positionAt(text, wrong.token.start) } };
};

type Refused = Extract<Rewording, { readonly message: string }>;

const isRefused = (rewording: Rewording): rewording is Refused => 'message' in rewording;

/** `list[0]`: an error of the engine where it is a list, and an empty text where it is a text. */
const zeroIndexes = (tokens: readonly PlacedToken[]): readonly Refused[] =>
  tokens.flatMap((token, index) => {
    const isIndex = token.text === '[' && isOperandEnd(tokens[index - 1]) && tokens[index + 2]?.text === ']';
    const zero = tokens[index + 1];
    if (!isIndex || zero?.kind !== 'number' || !/^0+$/.test(zero.text) || isFirstLabel(tokens, index)) return [];
    return [{ token: zero, message: 'Lists count from 1 on this kind of instance: [1] is the first element.' }];
  });

const isOperandEnd = (token: PlacedToken | undefined): boolean =>
  token?.kind === 'symbol' ? [')', ']', '}'].includes(token.text) : token?.role !== 'keyword' && token !== undefined;

const isFirstLabel = (tokens: readonly PlacedToken[], index: number): boolean =>
  tokens[index - 1]?.text === ')' && tokens[index - 4]?.upper === 'LABELS';
