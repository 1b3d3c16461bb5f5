import { type CypherToken } from './cypher-tokens';
import { type NestingLimits } from './text-limits';
import { beginsSubquery, type Misplaced, type PlacedToken, type PlacedTokens, type SubqueryWord } from './word-roles';

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

/** Why a query is rejected. */
interface Offence {
  readonly message: string;
  /** Undefined: the query is empty. */
  readonly token: CypherToken | undefined;
}

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
