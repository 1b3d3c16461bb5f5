import { type Either, isLeft } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type AnalysedQuery, analyseQuery, type Refusal } from '../cypher/analyse-query';
import { type QueryVocabulary } from '../cypher/gate';
import { unknownNames } from '../cypher/unknown-names';
import { type GraphSchema } from '../graph-schema';
import { misreadTimes } from './misread-times';

/** The analysis of a text, and the warnings of its answers for the last schema. */
interface KnownText {
  readonly analysed: Either<Refusal, AnalysedQuery>;
  warned: { readonly schema: GraphSchema; readonly warnings: readonly string[] } | null;
}

/** Analyses the texts of queries and warns of probable mistakes in them; the results are computed once. */
export const createQueryTexts = (vocabulary: QueryVocabulary) => {
  const known = createQueryCache((text): KnownText => ({ analysed: analyseQuery(text, vocabulary), warned: null }));
  return {
    analyse: (text: string): Either<Refusal, AnalysedQuery> => known(text).analysed,
    refusalOf: (text: string): Refusal | null => {
      const { analysed } = known(text);
      return isLeft(analysed) ? analysed.left : null;
    },
    /** The warnings of all answers to a text; none for a rejected text. */
    warnings: (text: string, schema: GraphSchema): readonly string[] => {
      const entry = known(text);
      const { analysed, warned } = entry;
      if (isLeft(analysed)) return [];
      if (warned?.schema === schema) return warned.warnings;
      const { query } = analysed.right;
      const warnings = [...unknownNames(query, schema), ...misreadTimes(query, schema)];
      entry.warned = { schema, warnings };
      return warnings;
    },
  };
};

const MAX_TEXTS = 500;
/** Limit of all texts together; a tree and derived data need some 200 bytes per character. */
const MAX_CHARACTERS = 250_000;

/** Calls `make` once for each text, and caches the results for the most recently used texts. */
export const createQueryCache = <Q extends object>(make: (text: string) => Q): ((text: string) => Q) => {
  const cache = new LRUCache<string, Q>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: make,
  });
  return (text) => cache.memo(text);
};
