import { type Clause, type Expression, type PathPattern, type Query } from './tree';

const KINDS: Readonly<Record<Expression['kind'], true>> = {
  literal: true,
  number: true,
  parameter: true,
  variable: true,
  star: true,
  list: true,
  map: true,
  map_projection: true,
  property: true,
  index: true,
  slice: true,
  has_labels: true,
  unary: true,
  binary: true,
  comparison: true,
  null_test: true,
  call: true,
  cast: true,
  case: true,
  comprehension: true,
  pattern_comprehension: true,
  quantifier: true,
  reduction: true,
  lambda: true,
  named_argument: true,
  pattern: true,
  subquery: true,
};

const isExpression = (part: object): part is Expression =>
  'kind' in part && typeof part.kind === 'string' && Object.hasOwn(KINDS, part.kind);

const CLAUSES: Readonly<Record<Clause['kind'], true>> = {
  match: true,
  unwind: true,
  call_procedure: true,
  call_query: true,
  with: true,
  return: true,
};

const isClause = (part: object): part is Clause =>
  'kind' in part && typeof part.kind === 'string' && Object.hasOwn(CLAUSES, part.kind);

/** All parts of a part of a tree, itself first; each before those inside it. */
export const partsOf = (part: unknown): readonly object[] => {
  const found: object[] = [];
  const collect = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    found.push(inner);
    for (const key in inner) collect(inner[key as keyof typeof inner]);
  };
  collect(part);
  return found;
};

/** All expressions of a part of a tree, those in subqueries included. */
export function* expressionsIn(part: object): Generator<Expression> {
  for (const inner of partsOf(part)) if (isExpression(inner)) yield inner;
}

/** All clauses of a query, those of subqueries included. */
export function* clausesIn(query: Query): Generator<Clause> {
  for (const inner of partsOf(query)) if (isClause(inner)) yield inner;
}

/** A query and its subqueries. */
export function* queriesIn(query: Query): Generator<Query> {
  for (const inner of partsOf(query)) if (isQuery(inner)) yield inner;
}

const isQuery = (part: object): part is Query => 'parts' in part && 'unions' in part;
const isPath = (part: object): part is PathPattern => 'nodes' in part && 'steps' in part;

/**
 * A part of a tree with its expressions changed, those inside of an expression before it; `original`: as it was. Parts in
 * which nothing changes stay the same objects.
 */
export const changeExpressions = <P>(
  part: P,
  change: (expression: Expression, original: Expression) => Expression,
): P =>
  changeParts(part, (inner, original) =>
    isExpression(inner) && isExpression(original) ? change(inner, original) : inner,
  );

/** A query with its clauses changed, those of subqueries before the clause around them. */
export const changeClauses = (query: Query, change: (clause: Clause) => Clause): Query =>
  changeParts(query, (inner) => (isClause(inner) ? change(inner) : inner));

/** A query with its clauses between two UNIONs changed as a whole, those of subqueries first. */
export const changeClauseLists = (query: Query, change: (clauses: readonly Clause[]) => readonly Clause[]): Query =>
  changeParts(query, (inner) => (isQuery(inner) ? { ...inner, parts: inner.parts.map(change) } : inner));

/** A query with its paths changed, those of subqueries and of expressions included. */
export const changePaths = (query: Query, change: (path: PathPattern) => PathPattern): Query =>
  changeParts(query, (inner) => (isPath(inner) ? change(inner) : inner));

const changeParts = <P>(part: P, change: (inner: object, original: object) => object): P => {
  if (typeof part !== 'object' || part === null) return part;
  let result: object = part;
  for (const [key, inner] of Object.entries(part)) {
    const changed: unknown = changeParts(inner, change);
    if (changed === inner) continue;
    if (result === part) result = Array.isArray(part) ? [...part] : { ...part };
    Object.assign(result, { [key]: changed });
  }
  // Each part is replaced by one of its own type.
  return change(result, part) as P;
};
