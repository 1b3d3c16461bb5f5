import { variable } from './build';
import { cypherTokens } from './cypher-tokens';
import { parseExpression } from './parse-expression';
import { parsePath, parseWhere } from './parse-pattern';
import { QueryFault } from './query-fault';
import { ALL_NAMES } from './scope';
import { shape } from './shape';
import { TokenReader } from './token-reader';
import {
  type Clause,
  type Name,
  type ProjectionClause,
  type ProjectionItem,
  type Query,
  type SortItem,
  type Statement,
  type Yield,
} from './tree';
import { variablesIn } from './walk';

/** Parses one reading statement; throws a `QueryFault` for any other text. */
export const parseStatement = (text: string): Statement => {
  const all = cypherTokens(text);
  const tokens = all.at(-1)?.text === ';' ? all.slice(0, -1) : all;
  if (tokens.length === 0) throw new QueryFault('The query is empty.', 0);
  const reader = new TokenReader(tokens, { expression: parseExpression, path: parsePath, query: parseQuery });
  const explain = explainAt(reader);
  const query = parseQuery(reader);
  return reader.peek() === undefined ? { explain, query } : reader.fail('a clause or an operator');
};

const explainAt = (reader: TokenReader): Statement['explain'] => {
  if (reader.skipWords('PROFILE')) return 'PROFILE';
  if (!reader.skipWords('EXPLAIN')) return null;
  return reader.skipWords('LOGICAL') ? 'EXPLAIN LOGICAL' : 'EXPLAIN';
};

const FIRST_WORDS = 'MATCH, OPTIONAL MATCH, UNWIND, WITH, RETURN or CALL';

const parseQuery = (reader: TokenReader): Query => {
  const parts = [parsePart(reader)];
  const unions: Query['unions'][number][] = [];
  while (reader.skipWords('UNION')) {
    unions.push(reader.skipWords('ALL') ? 'UNION ALL' : 'UNION');
    parts.push(parsePart(reader));
  }
  return { parts, unions };
};

const parsePart = (reader: TokenReader): readonly Clause[] => {
  const first = parseClause(reader);
  if (first === null) return reader.fail(`${FIRST_WORDS}; only reading queries are possible`);
  return reader.chain<readonly Clause[], Clause>(
    [first],
    () => parseClause(reader),
    (clauses, clause) => [...clauses, clause],
  );
};

/** Null if the next token does not begin a reading clause. */
const parseClause = (reader: TokenReader): Clause | null => {
  const { start } = reader;
  if (reader.atWords('MATCH') || reader.atWords('OPTIONAL')) return parseMatch(reader, start);
  if (reader.skipWords('UNWIND')) {
    const list = reader.grammar.expression(reader);
    reader.expectWord('AS');
    return { kind: 'unwind', list, name: reader.name(), ...reader.span(start) };
  }
  if (reader.skipWords('CALL')) return parseCall(reader, start);
  if (reader.skipWords('WITH')) return parseProjection(reader, 'with', start);
  return reader.skipWords('RETURN') ? parseProjection(reader, 'return', start) : null;
};

const parseMatch = (reader: TokenReader, start: number): Clause => {
  const optional = reader.skipWords('OPTIONAL');
  if (optional && reader.atWords('CALL')) throw new QueryFault(OPTIONAL_CALL, start);
  reader.expectWord('MATCH');
  const paths = reader.list(() => parsePath(reader));
  const where = parseWhere(reader);
  return { kind: 'match', optional, paths, where, ...reader.span(start) };
};

const OPTIONAL_CALL =
  'OPTIONAL CALL is not possible here: write CALL (a) { OPTIONAL MATCH (a)-->(b) RETURN b }, which returns a row with null.';

const parseCall = (reader: TokenReader, start: number): Clause => {
  if (reader.at('{') || reader.at('(')) {
    const imports = reader.skip('(') ? parseImports(reader) : null;
    const query = reader.enclosed('{', '}', () => reader.nested(() => parseQuery(reader)));
    return { kind: 'call_query', imports, query, ...reader.span(start) };
  }
  let name = reader.name('a procedure').text;
  while (reader.skip('.')) name += `.${reader.name('a procedure').text}`;
  const values = reader.skip('(') ? reader.listUntil(')', () => reader.grammar.expression(reader)) : [];
  const yields = parseYields(reader);
  return { kind: 'call_procedure', name, arguments: values, yields, where: parseWhere(reader), ...reader.span(start) };
};

/** The name `*` stands for all names. */
const parseImports = (reader: TokenReader): readonly Name[] => {
  const { start } = reader;
  if (!reader.skip('*')) return reader.listUntil(')', () => reader.name());
  const all = { text: ALL_NAMES, ...reader.span(start) };
  reader.expect(')');
  return [all];
};

/** Null without YIELD, and for `YIELD *`. */
const parseYields = (reader: TokenReader): readonly Yield[] | null =>
  reader.skipWords('YIELD') && !reader.skip('*') ? reader.list(() => parseYield(reader)) : null;

const parseYield = (reader: TokenReader): Yield => ({
  name: reader.name('a result of the procedure'),
  alias: reader.skipWords('AS') ? reader.name() : null,
});

const parseProjection = (reader: TokenReader, kind: 'with' | 'return', start: number): ProjectionClause => {
  const distinct = reader.skipWords('DISTINCT');
  const items = reader.list(() => parseItem(reader));
  const orderBy = reader.skipWords('ORDER') ? parseOrder(reader).map((item) => sortedColumn(item, items)) : [];
  const skip = reader.skipWords('SKIP') || reader.skipWords('OFFSET') ? reader.grammar.expression(reader) : null;
  const limit = reader.skipWords('LIMIT') ? reader.grammar.expression(reader) : null;
  const where = kind === 'with' ? parseWhere(reader) : null;
  return { kind, distinct, items, orderBy, skip, limit, where, ...reader.span(start) };
};

const parseOrder = (reader: TokenReader): readonly SortItem[] => {
  reader.expectWord('BY');
  return reader.list(() => parseSortItem(reader));
};

/** `RETURN n.id AS id, n.n AS n ORDER BY n.id` sorts by the column id, although n is another column there. */
const sortedColumn = (sort: SortItem, items: readonly ProjectionItem[]): SortItem => {
  const { value } = sort;
  if (value.kind === 'variable') return sort;
  const used = variablesIn(value);
  if (!items.some(({ alias }) => alias !== null && used.has(alias.text))) return sort;
  const alias = items.find((item) => shape(item.value) === shape(value))?.alias ?? null;
  return alias === null ? sort : { ...sort, value: variable(alias.text, value) };
};

const parseItem = (reader: TokenReader): ProjectionItem => {
  const { start } = reader;
  if (reader.skip('*')) {
    return { value: { kind: 'star', ...reader.span(start) }, alias: null, ...reader.span(start) };
  }
  const value = reader.grammar.expression(reader);
  return { value, alias: reader.skipWords('AS') ? reader.name() : null, ...reader.span(start) };
};

const parseSortItem = (reader: TokenReader): SortItem => {
  const { start } = reader;
  const value = reader.grammar.expression(reader);
  const descending = reader.skipWords('DESC') || reader.skipWords('DESCENDING');
  if (!descending && !reader.skipWords('ASC')) reader.skipWords('ASCENDING');
  return { value, descending, ...reader.span(start) };
};
