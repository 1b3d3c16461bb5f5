import { commaParts, type Clause, type ReadingQuery } from './clauses';
import { type CypherToken, type PlacedToken } from './cypher-tokens';

/** One item of a RETURN or WITH: `n.age + 1 AS older`. */
export interface ProjectionItem {
  /** The expression alone; `*` and `n.*` stand for several columns. */
  readonly expression: readonly CypherToken[];
  readonly aliased: boolean;
  /** What later clauses call it: its alias, or the name that is the whole expression; null when it has none. */
  readonly name: string | null;
}

/** The items of one RETURN or WITH and where more of them can be put. */
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
export const resultShape = ({ parts }: ReadingQuery): ResultShape => {
  const returns = parts.flatMap((clauses) => clauses.filter(({ name }) => name === 'RETURN'));
  const isLimited = returns.some(({ body }) => body.some((token) => endsItems(token, body) && token.upper === 'LIMIT'));
  return { projections: returns.map(projectionOf), limited: isLimited || parts.length > 1 || returns.length !== 1 };
};

/** What a RETURN or WITH makes. */
export const projectionOf = ({ body }: Pick<Clause, 'body'>): Projection => {
  const items = body[0]?.role === 'keyword' && body[0].upper === 'DISTINCT' ? body.slice(1) : body;
  const end = items.findIndex((token) => endsItems(token, body));
  const listed = end < 0 ? items : items.slice(0, end);
  return { items: commaParts(listed).map(itemOf), itemsEnd: listed.at(-1)?.end ?? 0 };
};

export const isStar = ({ expression }: ProjectionItem): boolean => {
  const [last, previous] = [expression.at(-1), expression.at(-2)];
  return last?.text === '*' && (previous === undefined || previous.text === '.');
};

const CLAUSES_AFTER_ITEMS = new Set(['ORDER', 'SKIP', 'LIMIT']);

const endsItems = ({ role, upper, depth }: PlacedToken, body: readonly PlacedToken[]): boolean =>
  role === 'keyword' && depth === body[0]?.depth && CLAUSES_AFTER_ITEMS.has(upper);

const itemOf = (tokens: readonly PlacedToken[]): ProjectionItem => {
  const aliased = tokens.length > 2 && tokens.at(-2)?.kind === 'word' && tokens.at(-2)?.upper === 'AS';
  const [only, more] = [tokens.at(-1), tokens.at(-2)];
  const isNamed = aliased || (more === undefined && (only?.role === 'name' || only?.kind === 'quoted_name'));
  return {
    expression: aliased ? tokens.slice(0, -2) : tokens,
    aliased,
    name: isNamed ? (only?.text ?? null) : null,
  };
};

/** What an item gives the columns it makes. */
export interface TitledItem {
  readonly isStar: boolean;
  /** Null: the engine's name, which is an alias or a variable, or one of those that a `*` stands for. */
  readonly title: string | null;
}

/** Any other expression is titled by its text as the user wrote it, as in openCypher. */
export const titledItem = (text: string, item: ProjectionItem): TitledItem => {
  const { aliased, expression } = item;
  // A variable without backticks is its own text.
  const isName = aliased || (expression.length === 1 && expression[0]?.kind === 'quoted_name');
  const title = isStar(item) || isName ? null : text.slice(expression[0]?.start, expression.at(-1)?.end);
  return { isStar: isStar(item), title };
};

/** The titles of a result's columns; `names`: as the engine names them. */
export const columnTitles = (items: readonly TitledItem[], names: readonly string[]): readonly string[] => {
  const stars = items.filter(({ isStar }) => isStar).length;
  const starWidth = names.length - (items.length - stars);
  if (stars > 1 || starWidth < 0 || (stars === 0 && starWidth > 0)) return names;
  let column = 0;
  return items.flatMap(({ isStar, title }) => {
    const own = names.slice(column, column + (isStar ? starWidth : 1));
    column += own.length;
    return title === null ? own : [title];
  });
};
