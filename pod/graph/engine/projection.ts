import { type CypherToken } from './gate/cypher-tokens';
import { wordRoles, type WordRole } from './gate/word-roles';

/** One item of a RETURN: `n.age + 1 AS older`. */
export interface ProjectionItem {
  /** The expression alone; `*` and `n.*` stand for several columns. */
  readonly expression: readonly CypherToken[];
  readonly aliased: boolean;
}

/** The items of one RETURN and where more of them can be put. */
export interface Projection {
  readonly items: readonly ProjectionItem[];
  readonly itemsEnd: number;
}

export interface ResultShape {
  /** One per RETURN: several when the query is a UNION. */
  readonly projections: readonly Projection[];
  /** The result has a LIMIT of its own, or takes none. */
  readonly limited: boolean;
}

/** Finds the RETURN clauses that make the result of a query. */
export const resultShape = (tokens: readonly CypherToken[]): ResultShape => {
  const { roles } = wordRoles(tokens);
  const projections: Projection[] = [];
  let limited = false;
  let depth = 0;
  for (let index = 0; index < tokens.length; index++) {
    depth += depthChange(tokens[index]);
    if (depth !== 0 || roles[index] !== 'keyword') continue;
    const word = tokens[index]?.upper;
    if (word === 'RETURN') projections.push(projectionAfter(tokens, roles, index));
    if (projections.length > 0 && (word === 'LIMIT' || word === 'UNION')) limited = true;
  }
  return { projections, limited: limited || projections.length !== 1 };
};

/** The text of an expression as the query spells it. */
export const expressionText = (text: string, { expression }: ProjectionItem): string =>
  text.slice(expression[0]?.start, expression.at(-1)?.end);

export const isStar = ({ expression }: ProjectionItem): boolean => {
  const [last, previous] = [expression.at(-1), expression.at(-2)];
  return last?.text === '*' && (previous === undefined || previous.text === '.');
};

const CLAUSES_AFTER_ITEMS = new Set(['ORDER', 'SKIP', 'LIMIT', 'UNION']);

const projectionAfter = (
  tokens: readonly CypherToken[],
  roles: readonly (WordRole | null)[],
  returnIndex: number,
): Projection => {
  const first = tokens[returnIndex + 1]?.upper === 'DISTINCT' ? returnIndex + 2 : returnIndex + 1;
  const items: ProjectionItem[] = [];
  let from = first;
  let depth = 0;
  let index = first;
  for (; index < tokens.length; index++) {
    depth += depthChange(tokens[index]);
    if (depth !== 0) continue;
    if (CLAUSES_AFTER_ITEMS.has(tokens[index]?.upper ?? '') && roles[index] === 'keyword') break;
    if (tokens[index]?.text !== ',') continue;
    items.push(itemOf(tokens.slice(from, index)));
    from = index + 1;
  }
  items.push(itemOf(tokens.slice(from, index)));
  return { items, itemsEnd: tokens[index - 1]?.end ?? 0 };
};

const itemOf = (tokens: readonly CypherToken[]): ProjectionItem => {
  const aliased = tokens.length > 2 && tokens.at(-2)?.kind === 'word' && tokens.at(-2)?.upper === 'AS';
  return { expression: aliased ? tokens.slice(0, -2) : tokens, aliased };
};

/** How a token changes the number of brackets that are open. */
export const depthChange = (token: CypherToken | undefined): number => {
  if (token?.kind !== 'symbol') return 0;
  if ('([{'.includes(token.text)) return 1;
  return ')]}'.includes(token.text) ? -1 : 0;
};
