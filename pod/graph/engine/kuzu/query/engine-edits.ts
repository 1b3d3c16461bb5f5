import { type TableKind } from '../../graph-engine';
import { type AnalysedQuery } from '../../query/analyse-query';
import { allParts } from '../../query/clauses';
import { isDash, plainName } from '../../query/patterns';
import { isStar, projectionOf, type ProjectionItem } from '../../query/result-shape';
import { insertion, type TextEdit } from '../../query/text-edits';
import { type PlacedToken } from '../../query/cypher-tokens';
import { quoteName } from '../binding/kuzu-type';
import { type TableNames } from '../load/table-names';

/** What is written differently for the engine, whatever the parameters and the answer of the query. */
export const engineEdits = (query: AnalysedQuery, names: TableNames): readonly TextEdit[] => [
  ...rowsToFilter(query),
  ...renamedCounts(query),
  ...renamedTables(query, names),
  ...labelEdits(query, names),
];

const CLAUSES_WITH_ROWS = new Set(['MATCH', 'UNWIND', 'CALL']);
const ONE_ROW = 'UNWIND [1] AS _row ';

/**
 * The engine crashes while it plans a WHERE that filters constants: `WITH 1 AS x WHERE x = 1 RETURN x`, unless a
 * MATCH, UNWIND or CALL comes before it. Each such part of a UNION gets one row at its start, which its first WITH
 * drops again.
 */
const rowsToFilter = ({ tokens, start }: AnalysedQuery): readonly TextEdit[] => {
  const edits: TextEdit[] = [];
  let first = start;
  let hasRows = beginsWithStar(tokens, first);
  for (const [index, { upper, role, depth }] of tokens.entries()) {
    if (depth !== 0 || role !== 'keyword') continue;
    if (upper === 'UNION') {
      first = tokens[index + 1]?.upper === 'ALL' ? index + 2 : index + 1;
      hasRows = beginsWithStar(tokens, first);
    } else if (upper === 'WHERE' && !hasRows) {
      edits.push(insertion(tokens[first]?.start ?? 0, ONE_ROW));
      hasRows = true;
    } else if (CLAUSES_WITH_ROWS.has(upper)) {
      hasRows = true;
    }
  }
  return edits;
};

/** `WITH *` would keep the row. The engine refuses it there, because it has no columns. */
const beginsWithStar = (tokens: readonly PlacedToken[], first: number): boolean =>
  tokens[tokens[first + 1]?.upper === 'DISTINCT' ? first + 2 : first + 1]?.text === '*';

/**
 * The engine reads 1 for a `count(*)` that gets another name and is used once more in the same clause:
 * `WITH count(*) AS k RETURN k AS x, k AS y`. As a sum it is not just a name.
 */
const renamedCounts = ({ query }: AnalysedQuery): readonly TextEdit[] =>
  allParts(query).flatMap((clauses) => {
    let counts = new Set<string>();
    return clauses.flatMap((clause) => {
      if (clause.name !== 'WITH' && clause.name !== 'RETURN') return [];
      const { items } = projectionOf(clause);
      const isCount = ({ expression: [only, more] }: ProjectionItem): boolean =>
        more === undefined && only !== undefined && counts.has(plainName(only.text));
      const edits = items.filter((item) => item.aliased && isCount(item));
      const named = items.filter((item) => item.name !== null && (isCount(item) || isCountOfRows(item)));
      counts = new Set([...(items.some(isStar) ? counts : []), ...named.map(({ name }) => plainName(name ?? ''))]);
      return edits.map(({ expression }) => insertion(expression.at(-1)?.end ?? 0, ' + 0'));
    });
  });

const isCountOfRows = ({ expression }: ProjectionItem): boolean =>
  expression.map(({ upper }) => upper).join('') === 'COUNT(*)';

/**
 * Replaces labels and edge types in patterns by the engine's names of their tables, if any differ.
 */
const renamedTables = ({ tokens }: AnalysedQuery, names: TableNames): readonly TextEdit[] => {
  if (!names.differ) return [];
  const kinds = kindsOfTables(tokens);
  return tokens.flatMap((token, index) => {
    const kind = kinds[index];
    if (kind === undefined) return [];
    return [{ start: token.start, end: token.end, words: quoteName(names.tableOf(kind, nameOf(token))) }];
  });
};

const nameOf = ({ kind, text }: PlacedToken): string => (kind === 'quoted_name' ? text.slice(1, -1) : text);

/** Which kind of table each name in a pattern means: those of `(n:A:B)` nodes, those of `-[r:A|B]-` edges. */
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

/** What a name after a colon in a bracket means: nothing in the slice `list[from:to]` nor in a map. */
const kindInBracket = (tokens: readonly PlacedToken[], open = -1): TableKind | undefined => {
  if (tokens[open]?.text === '(') return 'nodes';
  const before = tokens[open - 1];
  return tokens[open]?.text === '[' && before !== undefined && isDash(before) ? 'edges' : undefined;
};

/** `label`, `labels` and `type` as the engine has them; tables may have longer names than in the mapping. */
const labelEdits = ({ tokens }: AnalysedQuery, { differ }: TableNames): readonly TextEdit[] =>
  labelFunctions(tokens, differ).filter((rewording) => 'words' in rewording);

/** Never computed while the engine plans. */
const AGGREGATES = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'COLLECT']);

/**
 * Whether the engine skips the right blocks of a table. It compares the least and largest value of each block with
 * constants, and reads a constant of another type than the column's as if it were of that type: a fraction next to an
 * integer, a time next to a date. So it must look at all blocks when a text has such constants or may compute some.
 */
export const skipsRightBlocks = ({ tokens }: AnalysedQuery): boolean =>
  !tokens.some(({ kind, text, upper, role }, index) => {
    if (kind === 'number') return /^[^xX]*[.eE]/.test(text);
    if (tokens[index + 1]?.text !== '(') return text === '^';
    return kind === 'quoted_name' || (role === 'name' && !AGGREGATES.has(upper));
  });

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
