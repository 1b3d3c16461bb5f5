import {
  type CypherToken,
  beginsSubquery,
  type Misplaced,
  type PlacedToken,
  type PlacedTokens,
  type SubqueryWord,
} from './cypher-tokens';

/** What an engine lets a query call. Names in upper case, procedures with their dots. */
export interface QueryVocabulary {
  readonly functions: ReadonlySet<string>;
  readonly procedures: ReadonlySet<string>;
  /** Procedures that queries must not call, with what to use. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Functions of other engines, with what to write here. */
  readonly equivalents?: ReadonlyMap<string, string>;
  /** Words that may stand before a parenthesis without calling anything; none of them is the name of a function. */
  readonly keywords: ReadonlySet<string>;
  /** What the engine reads as a block comment; sticky. */
  readonly comment: RegExp;
  /** What may stand before the braces of a query inside the query. */
  readonly subqueries: ReadonlySet<SubqueryWord>;
  readonly nesting: NestingLimits;
}

/** What the nesting of a text costs the engine that reads it. */
interface NestingLimits {
  /** How deep brackets may be; CASE … END is one. */
  readonly maxDepth: number;
  /** What makes the engine read all that is inside twice: any bracket and any sign or NOT, or CASE alone. */
  readonly readsTwice: 'brackets' | 'cases';
}

/** Why a query is rejected. */
interface Offence {
  readonly message: string;
  /** Undefined: the query is empty. */
  readonly token: CypherToken | undefined;
}

const MAX_IN_A_ROW = 1_000;
/** Readings of a token by an engine's parser, all tokens together: some 0.3 s. */
const MAX_READINGS = 2 ** 16;

const FIRST_WORDS = new Set(['MATCH', 'OPTIONAL', 'UNWIND', 'WITH', 'RETURN', 'CALL']);
const WRITING_WORDS = new Set(['CREATE', 'MERGE', 'SET', 'DELETE', 'DETACH', 'REMOVE', 'DROP', 'FOREACH', 'COPY']);

/**
 * Accepts a text only if it is one statement made of reading clauses that call known functions and procedures.
 * An engine's read-only transaction stops writes to the graph but not reading files, exporting, attaching, installing
 * or changing settings: those can only start a statement, follow LOAD, or be called by name, and all three are checked
 * against lists of what is allowed. Words are judged as tokens, so names, labels and strings may spell anything.
 */
export const findOffence = (
  { tokens, misplaced }: PlacedTokens,
  start: number,
  vocabulary: QueryVocabulary,
): Offence | null => {
  const excess = findExcess(tokens, vocabulary.nesting);
  if (excess !== null) return excess;
  const first = tokens[start];
  if (first === undefined) return { message: 'The query is empty.', token: first };
  if (first.kind !== 'word' || !FIRST_WORDS.has(first.upper)) {
    const message = `Unexpected ${first.text}; a query begins with ${[...FIRST_WORDS].join(', ')}. Only reading queries are possible.`;
    return { message, token: first };
  }
  const semicolon = tokens.find(({ kind, text }) => kind === 'symbol' && text === ';');
  if (semicolon !== undefined) return { message: 'Send one statement at a time.', token: semicolon };
  for (let index = start; index < (misplaced?.index ?? tokens.length); index++) {
    const message = complaintAt(tokens, index, vocabulary);
    if (message !== null) return { message, token: tokens[index] };
  }
  if (misplaced === null) return null;
  return { message: misplacedMessage(misplaced, tokens[misplaced.index]), token: tokens[misplaced.index] };
};

const misplacedMessage = ({ problem }: Misplaced, token: CypherToken | undefined): string => {
  const text = token?.text ?? '';
  if (problem === 'end')
    return `Unexpected end of the query after ${text}: a closing bracket or an operand is missing.`;
  if (problem === 'bracket') return `Unmatched ${text}: the bracket it closes is missing or is of another kind.`;
  if (problem === 'operand') return `Unexpected ${text}; expected a clause or an operator before it.`;
  if (token?.upper === 'LOAD') {
    return 'LOAD reads files, which queries cannot do: the graph has the data of its snapshot.';
  }
  if (WRITING_WORDS.has(token?.upper ?? '')) {
    return `${token?.upper} writes, and the graph is read-only. If ${text} is a name, put it in backticks.`;
  }
  return `Unexpected ${text}; expected a reading clause (MATCH, WITH, RETURN, …) or an operator. If it is a name, put it in backticks.`;
};

const complaintAt = (tokens: readonly PlacedToken[], index: number, vocabulary: QueryVocabulary): string | null => {
  const token = tokens[index];
  // `1. CREATE (n)` would be a property of a number here, and may be a number and a clause to an engine.
  if (token?.text === '.' && tokens[index - 1]?.kind === 'number') {
    return `A number needs digits after its point: write ${tokens[index - 1]?.text}.0.`;
  }
  if (token?.kind !== 'word' && token?.kind !== 'quoted_name') return null;
  const subquery = beginsSubquery(tokens, index + 1);
  if (subquery !== null) {
    return vocabulary.subqueries.has(subquery)
      ? null
      : `${subquery} { … } is not possible on this kind of instance: ${INSTEAD[subquery]}.`;
  }
  if (token.role === 'keyword' && token.upper === 'CALL') return procedureComplaint(tokens, index, vocabulary);
  return tokens[index + 1]?.text === '(' ? functionComplaint(tokens, index, vocabulary) : null;
};

const INSTEAD: Readonly<Record<SubqueryWord, string>> = {
  CALL: 'write its clauses one after the other, with WITH between them',
  EXISTS: 'write the pattern as a condition, WHERE (a)-[:KNOWS]->()',
  COUNT: 'write OPTIONAL MATCH (a)-[r:KNOWS]->() and count(r)',
};

const procedureComplaint = (
  tokens: readonly CypherToken[],
  index: number,
  { procedures, elsewhere }: QueryVocabulary,
): string | null => {
  const open = tokens.findIndex((token, at) => at > index && token.text === '(');
  const name = nameText(tokens.slice(index + 1, open < 0 ? index + 1 : open));
  if (name !== null && procedures.has(name)) return null;
  const place = elsewhere.get(name ?? '');
  if (place !== undefined) return `${name?.toLowerCase()} does not observe the timeout of a query: ${place}.`;
  return `Unknown procedure; CALL accepts ${[...procedures].map((known) => known.toLowerCase()).join(', ')}.`;
};

const functionComplaint = (
  tokens: readonly CypherToken[],
  index: number,
  { functions, procedures, keywords, equivalents }: QueryVocabulary,
): string | null => {
  let from = index;
  while (tokens[from - 1]?.text === '.' && from >= 2) from -= 2;
  const name = nameText(tokens.slice(from, index + 1));
  if (name === null) return `${tokens[index]?.text} is a property and cannot be called.`;
  const keyword = tokens[index]?.kind === 'word' && from === index && keywords.has(name);
  if (keyword || functions.has(name) || procedures.has(name)) return null;
  const equivalent = equivalents?.get(name);
  return `Unknown function ${name.toLowerCase()}.${equivalent === undefined ? '' : ` On this kind of instance write ${equivalent}.`}`;
};

/** `a.b.c` of name tokens in upper case, or null when they are something else. */
const nameText = (tokens: readonly CypherToken[]): string | null => {
  const alternating = tokens.every((token, index) =>
    index % 2 === 1 ? token.text === '.' : token.kind === 'word' || token.kind === 'quoted_name',
  );
  if (tokens.length % 2 === 0 || !alternating) return null;
  return tokens.map((token) => (token.kind === 'quoted_name' ? token.upper.slice(1, -1) : token.upper)).join('');
};

/** The tokens between two brackets. */
interface Level {
  /** How often the engine doubles its work on the way to here. */
  readonly doublings: number;
  /** In a row, since the last comma or clause. */
  operators: number;
  /** Properties, labels and indexes of one operand in a row. */
  accesses: number;
  /** Signs and NOTs before an operand in a row. */
  prefixes: number;
}

const levelWith = (doublings: number): Level => ({ doublings, operators: 0, accesses: 0, prefixes: 0 });

/**
 * Engines read nested and chained expressions by recursion, which ends their process when it goes too deep, and takes
 * twice the time with each level where they try two readings; no timeout ends that.
 */
const findExcess = (tokens: readonly PlacedToken[], limits: NestingLimits): Offence | null => {
  const levels = [levelWith(0)];
  const doubles = (condition: boolean): number => (limits.readsTwice === 'brackets' && condition ? 1 : 0);
  let readings = 0;
  for (const [index, token] of tokens.entries()) {
    const kind = kindOf(token, tokens[index - 1]);
    if (kind === 'closing') levels.pop();
    const level = levels.at(-1) ?? levelWith(0);
    count(level, kind);
    const doublings = level.doublings + doubles(true) * level.prefixes;
    readings += 2 ** doublings - 1;
    if (Math.max(level.operators, level.accesses) > MAX_IN_A_ROW) {
      const message = `More than ${MAX_IN_A_ROW} operators in a row; compare with a list by IN, or split the expression by WITH.`;
      return { message, token };
    }
    if (readings > MAX_READINGS) return { message: TOO_MUCH, token };
    if (kind !== 'opening' && kind !== 'index') continue;
    const isCase = token.kind === 'word';
    const isSubquery = token.text === '{' && tokens[index - 1]?.upper === 'CALL';
    levels.push(levelWith(doublings + (isCase ? 1 : doubles(!isSubquery))));
    if (levels.length > limits.maxDepth + 1) return { message: `${TOO_DEEP} than ${limits.maxDepth}.`, token };
  }
  return null;
};

const TOO_MUCH =
  'Name a part of this expression by WITH, or send it as a parameter: the engine reads the text in brackets or in ' +
  'CASE … END again for each level, so about twelve levels are possible, and fewer around a long text.';
const TOO_DEEP =
  'Name a part of this expression by WITH, or send it as a parameter: brackets and CASE … END are nested deeper';

type Kind = 'opening' | 'index' | 'closing' | 'operator' | 'prefix' | 'access' | 'separator' | 'other';

const count = (level: Level, kind: Kind): void => {
  if (kind === 'operator' || kind === 'prefix') level.operators++;
  if (kind === 'access' || kind === 'index') level.accesses++;
  if (kind === 'prefix') level.prefixes++;
  if (kind === 'separator') level.operators = 0;
  if (kind !== 'operator' && kind !== 'separator') return;
  level.accesses = 0;
  level.prefixes = 0;
};

const BINARY_SYMBOLS = new Set([...'*/%^=<>!|&', '<>', '<=', '>=', '!=', '=~', '>>', '<<']);
const BINARY_WORDS = new Set(['AND', 'OR', 'XOR', 'IN', 'CONTAINS', 'STARTS', 'ENDS', 'IS']);

const kindOf = ({ kind, text, upper, role }: PlacedToken, previous: PlacedToken | undefined): Kind => {
  if (kind === 'symbol') {
    if (text === '[' && previous?.text === ']') return 'index';
    if ('([{'.includes(text)) return 'opening';
    if (')]}'.includes(text)) return 'closing';
    if (text === '.' || text === ':') return 'access';
    if (text === ',') return 'separator';
    if (text === '+' || text === '-') return endsOperand(previous) ? 'operator' : 'prefix';
    return BINARY_SYMBOLS.has(text) ? 'operator' : 'other';
  }
  if (kind !== 'word' || role !== 'keyword') return 'other';
  if (upper === 'CASE') return 'opening';
  if (upper === 'END') return 'closing';
  if (upper === 'NOT' && previous?.upper !== 'IS') return 'prefix';
  return BINARY_WORDS.has(upper) ? 'operator' : 'separator';
};

const endsOperand = (token: PlacedToken | undefined): boolean => {
  if (token?.kind === 'symbol') return ')]}'.includes(token.text);
  return token !== undefined && (token.role !== 'keyword' || token.upper === 'END' || token.upper === 'NULL');
};
