import { isLeft, type Either, left, map, right } from 'fp-ts/Either';
import { type AnalysedQuery, analyseQuery, createQueryCache } from '../query/analyse-query';
import { positionAt, type CypherToken } from '../query/cypher-tokens';
import { isText, type Literal, literalWriter, parameterLiterals } from '../query/literal';
import { editedText, type TextEdit } from '../query/text-edits';
import { PROCEDURE_ALIASES, VOCABULARY } from './vocabulary';
import { walkEdits } from './walk-edits';

export interface FalkordbQuery extends AnalysedQuery {
  /** Changes to the text before it is sent. */
  readonly edits: readonly TextEdit[];
}

/** Analyses a text of FalkorDB once. */
export const analyseFalkordbQuery = createQueryCache((text): FalkordbQuery => {
  const analysed = analyseQuery(text, VOCABULARY);
  const refused = (message: string, { start }: CypherToken): FalkordbQuery => ({
    ...analysed,
    edits: [],
    refusal: analysed.refusal ?? { message, position: positionAt(text, start) },
  });
  const unnamable = analysed.tokens.find((token) => token.kind === 'parameter' && !/^\$[A-Za-z_]\w*$/.test(token.text));
  if (unnamable !== undefined) {
    const rule = 'name it with letters a to z, digits and _, a letter first';
    return refused(`Invalid parameter name ${unnamable.text}: ${rule}.`, unnamable);
  }
  const edits = walkEdits(analysed);
  if (!isLeft(edits)) return { ...analysed, edits: edits.right };
  return refused('Nothing has a name that * could stand for; list the columns.', edits.left);
});

/** The text of a query that is sent to the engine; `tokens`: those that are sent. */
export const engineText = ({ text, edits }: FalkordbQuery, tokens: readonly CypherToken[]): string =>
  editedText(plainText(text, tokens), edits);

/**
 * The text with the same positions: comments are blanked, so that no comment is read in two ways, and procedures called
 * by an alias get the engine's name.
 */
const plainText = (text: string, tokens: readonly CypherToken[]): string => {
  let result = '';
  let from = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.start < from) continue;
    result += text.slice(from, token.start).replace(/[^\n]/g, ' ');
    const alias = aliasAt(tokens, index);
    result += alias?.name ?? token.text;
    from = alias?.end ?? token.end;
  }
  return result;
};

/** `pagerank.stream` after CALL: the engine's name, filled up to the length of the alias. */
const aliasAt = (tokens: readonly CypherToken[], index: number): { name: string; end: number } | null => {
  const last = tokens[index + 2];
  if (tokens[index - 1]?.upper !== 'CALL' || tokens[index + 1]?.text !== '.' || last === undefined) return null;
  const start = tokens[index]?.start ?? 0;
  const name = PROCEDURE_ALIASES.get(`${tokens[index]?.upper}.${last.upper}`);
  return name === undefined ? null : { name: name.padEnd(last.end - start), end: last.end };
};

export interface Explained {
  readonly command: 'GRAPH.RO_QUERY' | 'GRAPH.EXPLAIN' | 'GRAPH.PROFILE';
  readonly tokens: readonly CypherToken[];
}

/** EXPLAIN and PROFILE are separate commands; the word is removed. */
export const explained = (tokens: readonly CypherToken[]): Explained => {
  if (tokens[0]?.upper === 'PROFILE') return { command: 'GRAPH.PROFILE', tokens: tokens.slice(1) };
  if (tokens[0]?.upper === 'EXPLAIN') return { command: 'GRAPH.EXPLAIN', tokens: tokens.slice(1) };
  return { command: 'GRAPH.RO_QUERY', tokens };
};

/** The line in front of a query that gives its parameters their values, empty when it has none: `CYPHER a=1 b='x'`. */
export const parameterLine = (
  names: readonly string[],
  parameters: Readonly<Record<string, unknown>>,
): Either<string, string> =>
  map((literals: ReadonlyMap<string, string>) => {
    const settings = [...literals].map(([name, literal]) => `${name}=${literal}`);
    return settings.length === 0 ? '' : `CYPHER ${settings.join(' ')}\n`;
  })(parameterLiterals(names, parameters, cypherLiteral));

const number = (value: number): Literal => {
  if (!Number.isFinite(value)) return left('only finite numbers can be sent.');
  if (!Number.isInteger(value)) return right(String(value));
  if (Number.isSafeInteger(value)) return right(String(value === 0 ? 0 : value));
  if (Math.abs(value) >= 2 ** 64) return right(value.toExponential());
  return left('JSON readers round integers beyond 2^53; send it as a string and write toInteger($name) in the query.');
};

export const cypherLiteral = literalWriter({
  constant: String,
  quote: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  number,
  entry: (key, literal) =>
    isText(key) && /^[^`]+$/.test(key)
      ? right(`\`${key}\`: ${literal}`)
      : left(`unsupported map key ${JSON.stringify(key)}.`),
  emptyObject: right('{}'),
});
