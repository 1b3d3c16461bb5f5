import { type TableKind } from '../../graph-engine';
import { type AnalysedQuery } from '../../query/analyse-query';
import { type PlacedToken } from '../../query/word-roles';
import { quoteName } from '../binding/kuzu-type';
import { type TableNames } from '../load/table-names';
import { type TextEdit } from '../../query/text-edits';

/**
 * Puts the engine's names of tables in the place of labels and edge types in patterns. Nothing for a graph whose tables are
 * called as people call them.
 */
export const renamedTables = ({ tokens }: AnalysedQuery, names: TableNames): readonly TextEdit[] => {
  if (!names.differ) return [];
  const kinds = kindsOfTables(tokens);
  return tokens.flatMap((token, index) => {
    const kind = kinds[index];
    if (kind === undefined) return [];
    return [{ start: token.start, end: token.end, words: quoteName(names.tableOf(kind, nameOf(token))) }];
  });
};

const nameOf = ({ kind, text }: PlacedToken): string => (kind === 'quoted_name' ? text.slice(1, -1) : text);

/** Which tables the names in patterns name, by their places: those of `(n:A:B)` nodes, those of `-[r:A|B]-` edges. */
const kindsOfTables = (tokens: readonly PlacedToken[]): readonly (TableKind | undefined)[] => {
  const kinds: (TableKind | undefined)[] = [];
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'symbol' && '([{'.includes(text)) open.push(index);
    if (kind === 'symbol' && ')]}'.includes(text)) open.pop();
    if (kind !== 'word' && kind !== 'quoted_name') continue;
    const before = tokens[index - 1]?.text;
    if (before === ':') kinds[index] = kindInBracket(tokens, open.at(-1));
    if (before === '|') kinds[index] = kinds[index - 2];
  }
  return kinds;
};

/** Of what a colon in a bracket puts a name to: not in the slice `list[from:to]` nor in a map. */
const kindInBracket = (tokens: readonly PlacedToken[], open = -1): TableKind | undefined => {
  if (tokens[open]?.text === '(') return 'nodes';
  return tokens[open]?.text === '[' && DASH.test(tokens[open - 1]?.text ?? '') ? 'edges' : undefined;
};

/** What the grammar takes for a dash in patterns. */
const DASH = /^[-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/;
