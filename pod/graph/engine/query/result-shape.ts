import { type CypherToken } from './cypher-tokens';
import { type PlacedToken } from './word-roles';

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
export const resultShape = (tokens: readonly PlacedToken[]): ResultShape => {
  const projections: Projection[] = [];
  let limited = false;
  for (const [index, { upper, role, depth }] of tokens.entries()) {
    if (depth !== 0 || role !== 'keyword') continue;
    if (upper === 'RETURN') projections.push(projectionAfter(tokens, index));
    if (projections.length > 0 && (upper === 'LIMIT' || upper === 'UNION')) limited = true;
  }
  return { projections, limited: limited || projections.length !== 1 };
};

export const isStar = ({ expression }: ProjectionItem): boolean => {
  const [last, previous] = [expression.at(-1), expression.at(-2)];
  return last?.text === '*' && (previous === undefined || previous.text === '.');
};

const CLAUSES_AFTER_ITEMS = new Set(['ORDER', 'SKIP', 'LIMIT', 'UNION']);

const projectionAfter = (tokens: readonly PlacedToken[], returnIndex: number): Projection => {
  const first = tokens[returnIndex + 1]?.upper === 'DISTINCT' ? returnIndex + 2 : returnIndex + 1;
  const items: ProjectionItem[] = [];
  let from = first;
  let index = first;
  for (; index < tokens.length; index++) {
    const { text = '', upper = '', role, depth } = tokens[index] ?? {};
    if (depth !== 0) continue;
    if (CLAUSES_AFTER_ITEMS.has(upper) && role === 'keyword') break;
    if (text !== ',') continue;
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
