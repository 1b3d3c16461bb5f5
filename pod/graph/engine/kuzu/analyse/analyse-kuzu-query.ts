import { analyseQuery, type AnalysedQuery } from '../../query/analyse-query';
import { positionAt } from '../../query/cypher-tokens';
import { labelFunctions } from './label-functions';
import { misreadMaps } from './misread-maps';
import { misreadWords } from './misread-words';
import { VOCABULARY } from './vocabulary';

/** Analyses a text with the words of Kuzu, and refuses what would mean something else to it without a word. */
export const analyseKuzuQuery = (text: string): AnalysedQuery => {
  const analysed = analyseQuery(text, VOCABULARY);
  if (analysed.refusal !== null) return analysed;
  const noLabels = labelFunctions(analysed.tokens).filter((rewording) => 'message' in rewording);
  const [wrong] = [...noLabels, ...misreadWords(analysed.tokens), ...misreadMaps(analysed.query)];
  if (wrong === undefined) return analysed;
  return { ...analysed, refusal: { message: wrong.message, position: positionAt(text, wrong.token.start) } };
};
