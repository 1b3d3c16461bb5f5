import { createHash } from 'node:crypto';
import { type QueryFailure } from '../graph-engine';
import { type AnalysedQuery } from './analyse-query';
import { cypherTokens, positionAt } from './cypher-tokens';
import { type Expression, type Span } from './tree';
import { expressionsIn, partsOf } from './walk';

/**
 * A pattern of an engine's message, and the message for users: `$1` and so on are the groups of the pattern, `$0` is
 * the text of the query where the engine found the error. `at`: further words or symbols of the query that the error is
 * about.
 */
export type ErrorLine = readonly [writes: RegExp, reads: string, ...at: readonly string[]];

type Rejected = Extract<QueryFailure, { readonly kind: 'rejected' }>;
type QuerySource = Pick<AnalysedQuery, 'text' | 'query'>;

/**
 * Rewrites an engine's error, with its position: the engine's, otherwise that of the first name in the error that the
 * query contains. An error without a matching line gets a reference, under which the pod logs it.
 *
 * @param offset The engine's position, in the text of the user; null if the engine does not report one.
 */
export const explainError = (
  written: string,
  lines: readonly ErrorLine[],
  source: QuerySource,
  offset: number | null,
): Rejected => {
  const { text } = source;
  for (const [writes, reads, ...at] of lines) {
    const found = writes.exec(written);
    if (found === null) continue;
    const places = found.slice(1).map((named) => placeOf(named, source));
    const others = at.map((word) => placeOf(word, source));
    const place = offset ?? [...places, ...others].find((each) => each !== null) ?? onlyOperation(source);
    const words = found.slice(1).map((named, index) => (places[index] === null ? shown(named) : named));
    const message = reads.replace(/\$(\d)/g, (_, digit: string) =>
      digit === '0' ? excerpt(text, place) : (words[Number(digit) - 1] ?? ''),
    );
    return { kind: 'rejected', message, position: place === null ? null : positionAt(text, place) };
  }
  const reference = `E-${createHash('sha256').update(shapeOf(written)).digest('hex').slice(0, 8)}`;
  return {
    kind: 'rejected',
    message: `${UNKNOWN} (${reference})`,
    position: offset === null ? null : positionAt(text, offset),
    unexplained: { reference, written },
  };
};

const UNKNOWN =
  'The graph database cannot run this query. Divide it into smaller steps by WITH, or write it in another way; ' +
  'docs/guides/kinds.md lists what each kind supports.';

/** The reference does not depend on names and values of a query, so the same defect has the same reference. */
const shapeOf = (written: string): string => written.replace(/'[^']*'|"[^"]*"|`[^`]*`|<[^>]*>|\d+/g, '_');

/** Engines print expressions differently: without blanks, with quoted names, functions in upper case. */
const plain = (text: string): string => text.replace(/[\s`'"]/g, '').toLowerCase();

/**
 * The start of the part that an engine names: of its last occurrence in the query, because names are bound before they
 * are used; otherwise of a word or symbol that the query contains once.
 */
const placeOf = (named: string | undefined, { text, query }: QuerySource): number | null => {
  const wanted = plain(named ?? '');
  if (/^\d{0,2}$/.test(wanted)) return null;
  const parts = partsOf(query).filter(isPlaced);
  const part = parts.findLast(({ start, end }) => plain(text.slice(start, end)) === wanted);
  if (part !== undefined) return part.start;
  const [token, ...others] = cypherTokens(text).filter((each) => plain(each.text) === wanted);
  return token === undefined || others.length > 0 ? null : token.start;
};

/** The start of the only operation of a query, which must contain the type error. */
const onlyOperation = ({ query }: QuerySource): number | null => {
  const [first, ...others] = expressionsIn(query).filter(({ kind }) => OPERATIONS.has(kind));
  return first === undefined || others.length > 0 ? null : first.start;
};

const OPERATIONS: ReadonlySet<Expression['kind']> = new Set(['call', 'binary', 'unary', 'comparison', 'index', 'slice', 'quantifier', 'comprehension', 'reduction', 'case']); // prettier-ignore

const isPlaced = (part: object): part is Span => 'start' in part && 'end' in part;

/** Engines print their own function names for operators, and long lists of types. */
const shown = (named = ''): string => {
  const text = named.replace(/\s+/g, ' ');
  if (/[A-Z]+_[A-Z]+\(/.test(text)) return 'a value';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const LONGEST = 80;
const EXCERPT = 30;
const excerpt = (text: string, place: number | null): string => {
  if (place === null) return 'this part';
  const rest = text.slice(place).split('\n')[0] ?? '';
  return `"${rest.length > EXCERPT ? `${rest.slice(0, EXCERPT)}…` : rest}"`;
};
