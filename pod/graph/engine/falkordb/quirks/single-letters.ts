import { QueryFault } from '../../cypher/query-fault';

/** A part of a regular expression that is more than one letter, or a letter. */
const PARTS =
  /\\[pPx]\{[^}]*\}|\\(?:x[\da-f]{2}|u[\da-f]{4}|.)|\(\?[<\w-]*[>:)]?|\[(?:[^\]\\]|\\.)*\]|[\p{L}\p{M}]/gisu;
const QUOTED = /\\Q(.*?)(?:\\E|$)/gs;

/**
 * Without regard to case, the engine takes ß for ss, and ﬁ for fi. Nothing between two letters keeps them apart.
 * `offset`: of the expression, for the fault.
 */
export const withSingleLetters = (expression: string, offset: number): string => {
  if (!/\(\?[a-z]*i/.test(expression)) return expression;
  const unquoted = expression.replaceAll(QUOTED, (_, text: string) => text.replaceAll(/[^\p{L}\p{N}\s]/gu, '\\$&'));
  return unquoted.replaceAll(PARTS, (part, at: number) => {
    if (part.startsWith('[') && UNCERTAIN.test(part)) throw new QueryFault(MESSAGE, offset);
    if (!/^[\p{L}\p{M}]$/u.test(part)) return part;
    const letter = FOLDED.test(part) ? `(?-i:[${casesOf(part).join('')}])` : part;
    return /^(?:[\p{L}\p{M}]|\(\?)/u.test(unquoted.slice(at + part.length)) ? `${letter}(?:)` : letter;
  });
};

const isFolded = (letter: string): boolean =>
  letter === 'ẞ' || letter.toUpperCase().length > letter.length || letter.toLowerCase().length > letter.length;

const casesOf = (letter: string): readonly string[] => {
  const cases = /[ßẞ]/.test(letter) ? ['ß', 'ẞ'] : [letter, letter.toUpperCase(), letter.toLowerCase()];
  return [...new Set(cases)].filter((each) => each.length === letter.length);
};

/** The letters that some case writes as several letters; all are in the basic plane. */
export const FOLDED_LETTERS = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code))
  .filter(isFolded)
  .join('');
const FOLDED = new RegExp(`[${FOLDED_LETTERS}]`);
/** A class with such a letter, or with a range that may have one. */
const UNCERTAIN = new RegExp(`[${FOLDED_LETTERS}]|[^\\0-\\x7F]-|-[^\\0-\\x7F]`);

const MESSAGE =
  'Without regard to case, FalkorDB takes a letter such as ß in a class for several letters: write both cases of each letter, without (?i).';
