import { type CypherToken } from './cypher-tokens';

/** What to write instead of words of SQL and GQL. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['SELECT', 'MATCH (n:Label) RETURN n.name'],
  ['LIKE', "STARTS WITH, ENDS WITH, CONTAINS or =~ '.*'"],
  ['ILIKE', "toLower(x) CONTAINS 'text'"],
  ['BETWEEN', '1 <= x <= 9'],
  ['GROUP', 'the columns without an aggregate, which are the groups,'],
  ['HAVING', 'WITH n, count(*) AS c WHERE c > 1'],
  ['NULLS', 'ORDER BY x IS NULL, x'],
  ['OVER', 'collect(x), or a subquery CALL (n) { … },'],
  ['JOIN', 'a pattern (a)-[:TYPE]->(b)'],
  ['LET', 'WITH *, 1 AS x'],
  ['FILTER', 'WITH * WHERE x > 1'],
  ['SHORTEST', 'shortestPath((a)-[*]->(b))'],
  ['SHOW', 'CALL db.labels(), or ask for the schema,'],
]);

/** What to write instead of two symbols in a row. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['==', '='],
  ['&&', 'AND'],
]);

/** Syntax of other languages around an unexpected token, and what to write instead. */
export const otherSyntax = (
  { kind, upper, text }: CypherToken,
  before: CypherToken | undefined,
  after: CypherToken | undefined,
): readonly [syntax: string, instead: string] | null => {
  if (kind === 'word') {
    const instead = WORDS.get(upper);
    return instead === undefined ? null : [upper, instead];
  }
  for (const both of [`${before?.text}${text}`, `${text}${after?.text}`]) {
    const instead = SYMBOLS.get(both);
    if (instead !== undefined) return [both, instead];
  }
  if (text === '{' && (after?.kind === 'number' || after?.text === ',')) return ['{1,3}', '-[:TYPE*1..3]->'];
  if (text === ',' && before?.kind === 'number') return ['(1, 2)', '[1, 2]'];
  return null;
};
