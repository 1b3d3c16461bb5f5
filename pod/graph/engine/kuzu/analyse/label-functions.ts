import { type PlacedToken } from '../../query/word-roles';
import { type TextEdit } from '../../query/text-edits';

/** A part of a query that this engine silently reads as something else than openCypher. */
export interface Misread {
  readonly token: PlacedToken;
  readonly message: string;
}

/** What to write instead of a part of a query, or why that is impossible. */
type Rewording = TextEdit | Misread;

const LABEL_FUNCTIONS = new Set(['LABEL', 'LABELS', 'TYPE']);

/**
 * The engine lacks `type(r)`; its `labels(n)` is one string, which has no `[0]`, and is a label even for a missing node.
 * For a value that is not a variable of a pattern or an UNWIND it crashes.
 */
export const labelFunctions = (tokens: readonly PlacedToken[], renamed = false): readonly Rewording[] => {
  const optional = tokens.some(({ upper, role }) => upper === 'OPTIONAL' && role === 'keyword');
  const given = givenNames(tokens);
  return tokens.flatMap((token, index): readonly Rewording[] => {
    const [open, variable, close] = tokens.slice(index + 1, index + 4);
    const called = token.role === 'name' && LABEL_FUNCTIONS.has(token.upper) && open?.text === '(';
    if (!called || tokens[index - 1]?.text === '.') return [];
    if (variable === undefined || close?.text !== ')' || !isEntity(tokens, given, variable)) {
      const message = `${token.text} needs a variable of MATCH or UNWIND: UNWIND nodes(path) AS n, then ${token.text}(n).`;
      return [{ token, message }];
    }
    const list = token.upper === 'LABELS' ? listUse(tokens, index) : 'no list';
    if (list === 'other element') {
      return [
        {
          token: tokens[index + 5] ?? token,
          message: 'A node has one label on this kind of instance: labels(n)[0], or label(n).',
        },
      ];
    }
    const label = renamed ? `split_part(label(${variable.text}), ' ', 1)` : `label(${variable.text})`;
    const value = list === 'list' ? `[${label}]` : label;
    const end = list === 'first element' ? tokens[index + 6]?.end : close.end;
    const words = optional ? `CASE WHEN ${variable.text} IS NOT NULL THEN ${value} END` : value;
    return [{ start: token.start, end: end ?? close.end, words }];
  });
};

/** How the query uses `labels(n)`: as text, as in `labels(n) = 'City'`, or as a list. */
const listUse = (
  tokens: readonly PlacedToken[],
  index: number,
): 'list' | 'first element' | 'other element' | 'no list' => {
  const [previous, beforeIt, after] = [tokens[index - 1], tokens[index - 2], tokens[index + 4]];
  if (after?.text === '[') {
    return tokens[index + 5]?.text === '0' && tokens[index + 6]?.text === ']' ? 'first element' : 'other element';
  }
  if (previous?.role === 'keyword' && ['IN', 'UNWIND'].includes(previous.upper)) return 'list';
  return previous?.text === '(' && beforeIt?.upper === 'SIZE' && after?.text === ')' ? 'list' : 'no list';
};

/** The places where each name follows AS, by the name in upper case. */
const givenNames = (tokens: readonly PlacedToken[]): ReadonlyMap<string, readonly number[]> => {
  const places = new Map<string, number[]>();
  for (const [index, { upper, role }] of tokens.entries()) {
    const name = upper === 'AS' && role === 'keyword' ? tokens[index + 1]?.upper : undefined;
    if (name === undefined) continue;
    const known = places.get(name);
    if (known === undefined) places.set(name, [index]);
    else known.push(index);
  }
  return places;
};

/** Whether a name means a node or relationship wherever it is assigned: `WITH n AS m`, `UNWIND … AS m`. */
const isEntity = (
  tokens: readonly PlacedToken[],
  given: ReadonlyMap<string, readonly number[]>,
  name: PlacedToken,
  seen: readonly string[] = [],
): boolean => {
  if ((name.kind !== 'word' && name.kind !== 'quoted_name') || name.upper === 'NULL') return false;
  if (seen.includes(name.upper)) return true;
  return (given.get(name.upper) ?? []).every((as) => {
    const [before, source] = [tokens[as - 2], tokens[as - 1]];
    const alone = before?.text === ',' || (before?.role === 'keyword' && before.upper !== 'NOT');
    if (alone && source !== undefined && isEntity(tokens, given, source, [...seen, name.upper])) return true;
    return clauseBefore(tokens, as) === 'UNWIND';
  });
};

const clauseBefore = (tokens: readonly PlacedToken[], index: number): string | undefined => {
  for (let at = index - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token?.role === 'keyword' && token.depth === tokens[index]?.depth) return token.upper;
  }
  return undefined;
};
