import {
  type Clause,
  type Comprehension,
  type Expression,
  type MatchClause,
  type PathPattern,
  type Quantifier,
  type Query,
  type Reduction,
} from './tree';

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

/** The items of a map projection have kinds, too, but no places. */
const isExpression = (part: object): part is Expression => 'kind' in part && 'start' in part && !isClause(part);

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

/** The names that an expression introduces for the expressions in it. */
export const localNames = (value: Expression): readonly string[] => {
  if (value.kind === 'comprehension' || value.kind === 'quantifier') return [value.name.text];
  if (value.kind === 'reduction') return [value.name.text, value.sum.text];
  return value.kind === 'lambda' ? value.names.map(({ text }) => text) : [];
};

/** All expressions of a part of a tree, those in subqueries included. */
export function* expressionsIn(part: object): Generator<Expression> {
  for (const inner of partsOf(part)) if (isExpression(inner)) yield inner;
}

/** The names of the variables in a part of a tree. */
export const variablesIn = (part: object): ReadonlySet<string> =>
  new Set([...expressionsIn(part)].flatMap((value) => (value.kind === 'variable' ? [value.name] : [])));

/** The names that a part of a tree needs from outside: those that lists in it introduce are left out. */
export const outerNamesIn = (part: object): readonly string[] => {
  const local = new Set([...expressionsIn(part)].flatMap(localNames));
  return [...variablesIn(part)].filter((name) => !local.has(name));
};

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

/** All paths of a query, those in subqueries and expressions included. */
export const pathsIn = (query: Query): readonly PathPattern[] => partsOf(query).filter(isPath);

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

/** A query with its clauses changed, those of subqueries before the clause around them; `original`: as it was. */
export const changeClauses = (query: Query, change: (clause: Clause, original: Clause) => Clause): Query =>
  changeParts(query, (inner, original) => (isClause(inner) && isClause(original) ? change(inner, original) : inner));

/** A query with its MATCH clauses changed; `original`: as it was. */
export const changeMatches = (query: Query, change: (clause: MatchClause, original: Clause) => MatchClause): Query =>
  changeClauses(query, (clause, original) => (clause.kind === 'match' ? change(clause, original) : clause));

/** A query with its clauses between two UNIONs changed as a whole, those of subqueries first. */
export const changeClauseLists = (query: Query, change: (clauses: readonly Clause[]) => readonly Clause[]): Query =>
  changeParts(query, (inner) => {
    if (!isQuery(inner)) return inner;
    const parts = inner.parts.map(change);
    const isSame = parts.every((part, at) => isSameList(part, inner.parts[at] ?? []));
    return isSame ? inner : { ...inner, parts };
  });

const isSameList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((part, at) => part === right[at]);

/** A query with its paths changed, those of subqueries and of expressions included. */
export const changePaths = (query: Query, change: (path: PathPattern) => PathPattern): Query =>
  changeParts(query, (inner) => (isPath(inner) ? change(inner) : inner));

/** A part of a tree with the names changed that it gives to nodes, values and the like; what YIELD calls them stays. */
export const changeVariables = <P>(tree: P, change: (name: string) => string): P => {
  const named = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || 'kind' in value || !('text' in value)) return value;
    const text = change(String(value.text));
    return text === value.text ? value : { ...value, text };
  };
  return changeParts(tree, (part) => {
    const { kind } = part as { readonly kind?: unknown };
    if (kind === 'property' || kind === 'named_argument' || kind === 'all' || isYield(part)) return part;
    if (kind === 'variable' && 'name' in part && typeof part.name === 'string') {
      const name = change(part.name);
      return name === part.name ? part : { ...part, name };
    }
    return changeInside(part, (inner, key) => (VARIABLE_KEYS.has(key) ? named(inner) : inner));
  });
};

/** An expression whose names for the items of a list are new ones. */
export const withNewNames = <B extends Comprehension | Quantifier | Reduction>(value: B, newName: () => string): B => {
  const own = new Map(localNames(value).map((text) => [text, newName()]));
  const changed = changeVariables(value, (text) => own.get(text) ?? text);
  return { ...changed, list: value.list, ...('initial' in value ? { initial: value.initial } : {}) };
};

/** Where parts of a tree have names of variables. */
const VARIABLE_KEYS = new Set(['name', 'sum', 'alias', 'of', 'relationship', 'node']);

const isYield = (part: object): boolean => 'name' in part && 'alias' in part;

/**
 * A part of a tree where expressions are replaced for which `change` has others; it does not see what is inside of those.
 * `locals`: the names that the expressions around one introduce. Parts in which nothing changes stay the same objects.
 */
export const replaceOutermost = <P>(
  part: P,
  change: (value: Expression, locals: readonly string[]) => Expression | null,
  locals: readonly string[] = [],
): P => {
  if (typeof part !== 'object' || part === null) return part;
  const replaced = isExpression(part) ? change(part, locals) : null;
  if (replaced !== null) return replaced as P;
  const inside = isExpression(part) ? [...locals, ...localNames(part)] : locals;
  return changeInside(part, (inner) => replaceOutermost(inner, change, inside));
};

const changeParts = <P>(part: P, change: (inner: object, original: object) => object): P => {
  if (typeof part !== 'object' || part === null) return part;
  // Each part is replaced by one of its own type.
  return change(
    changeInside(part, (inner) => changeParts(inner, change)),
    part,
  ) as P;
};

const changeInside = <P extends object>(part: P, change: (inner: unknown, key: string) => unknown): P => {
  let result: P = part;
  for (const [key, inner] of Object.entries(part)) {
    const changed = change(inner, key);
    if (changed === inner) continue;
    if (result === part) result = (Array.isArray(part) ? [...part] : { ...part }) as P;
    Object.assign(result, { [key]: changed });
  }
  return result;
};

/** The names in a part of a tree, those of properties and labels included. */
export const namesIn = (part: unknown): ReadonlySet<string> =>
  new Set(
    partsOf(part).flatMap((inner) => {
      if ('kind' in inner && inner.kind === 'variable' && 'name' in inner) return String(inner.name);
      return 'text' in inner && !('kind' in inner) ? String(inner.text) : [];
    }),
  );
