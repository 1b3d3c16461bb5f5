import { name, variable } from './build';
import {
  type Clause,
  type Comprehension,
  type Expression,
  type MatchClause,
  type Name,
  type PathPattern,
  type ProjectionClause,
  type Quantifier,
  type Query,
  type Reduction,
  type Variable,
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

/** Whether a clause is a WITH or RETURN. */
export const isProjection = (clause: Clause): clause is ProjectionClause =>
  clause.kind === 'with' || clause.kind === 'return';

/** The items of a map projection have kinds, too, but no places. */
export const isExpression = (part: object): part is Expression => 'kind' in part && 'start' in part && !isClause(part);

/** All parts of a part of a tree, including itself; each before the parts inside it. */
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

/** The direct operands of an expression, in their order; a subquery and a pattern do not have any. */
export const operandsOf = (expression: Expression): readonly Expression[] => {
  if (expression.kind === 'subquery' || expression.kind === 'pattern') return [];
  const operandsIn = (part: unknown): readonly Expression[] => {
    if (typeof part !== 'object' || part === null) return [];
    return isExpression(part) ? [part] : Object.values(part).flatMap(operandsIn);
  };
  return Object.values(expression).flatMap(operandsIn);
};

/** The operands of `a = b`; none for any other expression. */
export const equalOperands = (value: Expression): readonly Expression[] =>
  value.kind === 'comparison' && value.rest.length === 1 && value.rest[0]?.operator === '=' ? operandsOf(value) : [];

/** The names of variables that an expression contains, besides those in its operands. */
export const ownNames = (value: Expression): readonly Name[] => {
  if (value.kind === 'variable') return [name(value.name, value)];
  if (value.kind !== 'map_projection') return [];
  return [value.of, ...value.items.flatMap((item) => (item.kind === 'variable' ? [item.name] : []))];
};

/** The names that an expression introduces for the expressions inside it. */
export const localNames = (value: Expression): readonly string[] => {
  if (value.kind === 'comprehension' || value.kind === 'quantifier') return [value.name.text];
  if (value.kind === 'reduction') return [value.name.text, value.sum.text];
  return [];
};

/** All expressions of a part of a tree, including those in subqueries. */
export const expressionsIn = (part: object): readonly Expression[] => partsOf(part).filter(isExpression);

/** Whether a part of a tree has other values each time. */
export const hasVolatile = (part: object): boolean =>
  expressionsIn(part).some((value) => value.kind === 'call' && /^(rand|randomuuid)$/i.test(value.name));

/** The names of the variables in a part of a tree. */
export const variablesIn = (part: object): ReadonlySet<string> =>
  new Set(expressionsIn(part).flatMap((value) => (value.kind === 'variable' ? [value.name] : [])));

/** All names in a part of a tree that may be those of variables, also in patterns and map projections. */
export const usedNamesIn = (part: object): ReadonlySet<string> => {
  const names = new Set<string>();
  changeVariables(part, (name) => {
    names.add(name);
    return name;
  });
  return names;
};

/** The free names of a part of a tree: without those that lists inside it introduce. */
export const outerNamesIn = (part: object): readonly string[] => {
  const local = new Set(expressionsIn(part).flatMap(localNames));
  return [...usedNamesIn(part)].filter((name) => !local.has(name));
};

/** All clauses of a query, including those of subqueries. */
export const clausesIn = (query: Query): readonly Clause[] => partsOf(query).filter(isClause);

/** A query and its subqueries. */
export const queriesIn = (query: Query): readonly Query[] => partsOf(query).filter(isQuery);

const isQuery = (part: object): part is Query => 'parts' in part && 'unions' in part;
const isPath = (part: object): part is PathPattern => 'nodes' in part && 'steps' in part;

/** All paths of a query, including those in subqueries and expressions. */
export const pathsIn = (query: Query): readonly PathPattern[] => partsOf(query).filter(isPath);

/**
 * A part of a tree with its expressions changed, inner expressions first; `original`: before the change. Unchanged
 * parts remain the same objects.
 */
export const changeExpressions = <P>(
  part: P,
  change: (expression: Expression, original: Expression) => Expression,
): P =>
  changeParts(part, (inner, original) =>
    isExpression(inner) && isExpression(original) ? change(inner, original) : inner,
  );

/** A query with its clauses changed, those of subqueries first; `original`: before the change. */
export const changeClauses = (query: Query, change: (clause: Clause, original: Clause) => Clause): Query =>
  changeParts(query, (inner, original) => (isClause(inner) && isClause(original) ? change(inner, original) : inner));

/** A query with its MATCH clauses changed; `original`: before the change. */
export const changeMatches = (query: Query, change: (clause: MatchClause, original: Clause) => MatchClause): Query =>
  changeClauses(query, (clause, original) => (clause.kind === 'match' ? change(clause, original) : clause));

/** A query with each list of clauses between two UNIONs changed as a whole, those of subqueries first. */
export const changeClauseLists = (query: Query, change: (clauses: readonly Clause[]) => readonly Clause[]): Query =>
  changeParts(query, (inner) => {
    if (!isQuery(inner)) return inner;
    const parts = inner.parts.map(change);
    const isSame = parts.every((part, at) => isSameList(part, inner.parts[at] ?? []));
    return isSame ? inner : { ...inner, parts };
  });

const isSameList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((part, at) => part === right[at]);

/** Changes the names of variables in a part of a tree; the names of a procedure's results in YIELD remain. */
export const changeVariables = <P>(tree: P, change: (name: string) => string): P => {
  const named = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || 'kind' in value || !('text' in value)) return value;
    const text = change(String(value.text));
    return text === value.text ? value : { ...value, text };
  };
  return changeParts(tree, (part) => {
    const { kind } = part as { readonly kind?: unknown };
    if (kind === 'property' || kind === 'all' || isYield(part)) return part;
    if (kind === 'variable') return withName(part as Variable | Shorthand, change);
    return changeInside(part, (inner, key) => {
      if (key === 'imports' && Array.isArray(inner)) return changeInside(inner as readonly unknown[], named);
      return VARIABLE_KEYS.has(key) ? named(inner) : inner;
    });
  });
};

/** `n {age}`. */
interface Shorthand {
  readonly kind: 'variable';
  readonly name: Name;
}

const withName = (part: Variable | Shorthand, change: (name: string) => string): object => {
  const { name } = part;
  const before = typeof name === 'string' ? name : name.text;
  const text = change(before);
  if (text === before) return part;
  if (typeof name === 'string') return { ...part, name: text };
  return { kind: 'entry', entry: { key: name, value: variable(text, name) } };
};

/** An expression with new names for the items of a list. */
export const withNewNames = <B extends Comprehension | Quantifier | Reduction>(
  value: B,
  newName: (text: string) => string,
): B => {
  const own = new Map(localNames(value).map((text) => [text, newName(text)]));
  const changed = changeVariables(value, (text) => own.get(text) ?? text);
  return { ...changed, list: value.list, ...('initial' in value ? { initial: value.initial } : {}) };
};

/** Keys of a tree's parts that contain names of variables. */
const VARIABLE_KEYS = new Set(['name', 'sum', 'alias', 'of']);

const isYield = (part: object): boolean => 'name' in part && 'alias' in part;

/**
 * Replaces the outermost expressions for which `change` returns another one; it is not called for expressions inside
 * those. `locals`: the names that the surrounding expressions introduce. Unchanged parts remain the same objects.
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
  return changeInside(part, (inner, key) =>
    // The list, and the first value of a sum, are outside.
    replaceOutermost(inner, change, key === 'list' || key === 'initial' ? locals : inside),
  );
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

/** The names in a part of a tree, including those of properties and labels. */
export const namesIn = (part: unknown): ReadonlySet<string> =>
  new Set(
    partsOf(part).flatMap((inner) => {
      if ('kind' in inner && inner.kind === 'variable' && 'name' in inner) return String(inner.name);
      return 'text' in inner && !('kind' in inner) ? String(inner.text) : [];
    }),
  );
