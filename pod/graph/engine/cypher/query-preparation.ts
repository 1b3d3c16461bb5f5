import { type Either, isLeft } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type GraphQuery } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery, analyseQuery, type Refusal, refusing } from './analyse-query';
import { freshNames } from './build';
import { checkEngineCalls, type QueryVocabulary } from './gate';
import { type PrintedQuery, printQuery } from './print-query';
import { type Dialect } from './query-writer';
import { cure, type Quirk, type QuirkContext } from './quirk';
import { type Expression, type Query } from './tree';
import { unknownNames } from './unknown-names';
import { changeExpressions } from './walk';

/** How queries for an engine are checked, changed and printed. */
export interface EngineLanguage {
  readonly vocabulary: QueryVocabulary;
  /** Applied in this order. */
  readonly quirks: readonly Quirk[];
  readonly dialect: Dialect;
}

type Parameters = QuirkContext['parameters'];

interface QueryRequest extends Pick<GraphQuery, 'text' | 'parameters' | 'walks'> {
  /** The query with computed constants, which takes the place of that of the text. */
  readonly folded?: Query;
}

interface ForSchema {
  readonly schema: GraphSchema;
  readonly walks: boolean;
}

/** The analysis of a text, and the result for the most recently used schema. */
interface KnownQuery {
  readonly analysed: Either<Refusal, AnalysedQuery>;
  cured: (ForSchema & { readonly original: Query; readonly query: Either<Refusal, Query> }) | null;
  warned: { readonly schema: GraphSchema; readonly warnings: readonly string[] } | null;
}

export type QueryPreparation = ReturnType<typeof createQueryPreparation>;

/**
 * Checks, changes and prints the queries of an engine; results that depend only on the text and the schema are computed
 * once.
 */
export const createQueryPreparation = (language: EngineLanguage) => {
  const { vocabulary, quirks, dialect } = language;
  const printed = new WeakMap<Query, Either<Refusal, PrintedQuery>>();
  const known = createQueryCache((text): KnownQuery => ({
    analysed: analyseQuery(text, vocabulary),
    cured: null,
    warned: null,
  }));

  /**
   * The query with the cures of the quirks, or the reason for its rejection; the same object while it does not change.
   */
  const cured = (
    { text, parameters, walks = false, folded }: QueryRequest,
    schema: GraphSchema,
  ): Either<Refusal, Query> => {
    const found = known(text);
    if (isLeft(found.analysed)) return found.analysed;
    const original = folded ?? found.analysed.right.query;
    const { cured: last } = found;
    if (last?.original === original && last.schema === schema && last.walks === walks) return last.query;
    const { context, usesValues } = contextOf(text, { schema, walks }, parameters);
    const query = refusing(text, () => {
      checkEngineCalls(original, vocabulary);
      return cure(original, quirks, context);
    });
    if (!usesValues()) found.cured = { schema, walks, original, query };
    return query;
  };

  /** The same, in the engine's syntax. */
  const prepare = (request: QueryRequest, schema: GraphSchema): Either<Refusal, PrintedQuery> => {
    const found = cured(request, schema);
    if (isLeft(found)) return found;
    const query = found.right;
    const sent = printed.get(query) ?? refusing(request.text, () => printQuery(query, dialect));
    printed.set(query, sent);
    return sent;
  };

  /** The warnings of all answers to a text; none for a rejected text. */
  const warnings = (text: string, schema: GraphSchema): readonly string[] => {
    const found = known(text);
    if (isLeft(found.analysed)) return [];
    if (found.warned?.schema !== schema)
      found.warned = { schema, warnings: unknownNames(found.analysed.right.query, schema) };
    return found.warned.warnings;
  };

  return { analyse: (text: string): Either<Refusal, AnalysedQuery> => known(text).analysed, cured, prepare, warnings };
};

/** Records whether a cure uses the values or the time of one query. */
const contextOf = (text: string, { schema, walks }: ForSchema, values: Parameters) => {
  const now = new Date();
  let isUsed = false;
  const noticed = <A>(value: A): A => {
    isUsed = true;
    return value;
  };
  const context: QuirkContext = {
    text,
    schema,
    walks,
    newName: freshNames(text),
    get parameters() {
      return noticed(values);
    },
    get now() {
      return noticed(now);
    },
  };
  return { context, usesValues: () => isUsed };
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

/** Values in place of parameters, by their names. */
type Literals = ReadonlyMap<string, Expression>;

export const withLiterals = (query: Query, literals: Literals): Query =>
  literals.size === 0
    ? query
    : changeExpressions(query, (value) => (value.kind === 'parameter' ? (literals.get(value.name) ?? value) : value));
