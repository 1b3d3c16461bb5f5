import { make } from '../../cypher/template';
import { aggregatesIn, isAggregate } from '../../cypher/aggregates';
import { type Columns, isNotNull, itself, literal, name, projection, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk, type QuirkContext } from '../../cypher/quirk';
import { type Scope, scopesOf } from '../../cypher/scopes';
import { namesOfPaths } from '../../cypher/steps';
import {
  type Call,
  type Clause,
  type Expression,
  type MatchClause,
  type ProjectionClause,
  type SubqueryClause,
} from '../../cypher/tree';
import { changeClauseLists, expressionsIn, replaceOutermost, usedNamesIn } from '../../cypher/walk';
import { repeatedRows } from './repeated-rows';

/**
 * Each becomes an OPTIONAL MATCH. Its values are collected for each previous row; equal previous rows are grouped by
 * all names and restored afterwards.
 */
export const listsOfPatterns: Quirk = {
  id: 'kuzu-lists-of-patterns',
  description: 'Pattern comprehensions, COLLECT { … } and CALL { … } are syntax errors.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) RETURN n.id, [(n)-[:E]->(m) | m.id] ORDER BY n.id',
    right: [
      [1, [2]],
      [2, []],
    ],
    wrong: 'error',
  },
  rewrite: (query, context) => {
    const { before } = scopesOf(query);
    const changed = changeClauseLists(query, (clauses) =>
      clauses.flatMap((clause): readonly Clause[] => {
        const scope = before.get(clause);
        if (clause.kind === 'call_query') return calledRows(clause, scope, context);
        const isKnown = clause.kind === 'with' || clause.kind === 'return' || clause.kind === 'unwind';
        return isKnown && scope !== undefined ? withLists(clause, scope, context) : [clause];
      }),
    );
    const left = [...expressionsIn(changed)].find((value) => value.kind === 'subquery' && value.word === 'COLLECT');
    if (left === undefined) return changed;
    throw new QueryFault('A list of a pattern is not possible here: write OPTIONAL MATCH and collect(…).', left.start);
  },
};

/** Values of the rows of a MATCH. */
interface Listed {
  readonly match: MatchClause;
  readonly value: Expression;
}

const withLists = <C extends Clause>(clause: C, scope: Scope, context: QuirkContext): readonly Clause[] => {
  const inserted: Clause[] = [];
  const isColumn = partsWithLists(clause);
  const changed = replaceOutermost(clause, (value, locals) => {
    // A list in it may use its names.
    if (value.kind === 'subquery' && value.word !== 'COLLECT') return value;
    const listed = listOf(value);
    if (listed === null || !isColumn.has(value) || locals.some((text) => usedNamesIn(value).has(text))) return null;
    const called = context.newName();
    const collected = (found: Expression): Expression =>
      make(
        'list_transform(collect(CASE WHEN _1 THEN [_2] END), _v -> list_extract(_v, 1))',
        value,
        found,
        listed.value,
      );
    inserted.push(
      ...perRow(
        [...namesOf(scope), ...inserted.flatMap(listNames)],
        listed.match,
        (found) => [[collected(found), called]],
        context,
      ),
    );
    return variable(called, value);
  });
  if (inserted.length === 0) return [clause];
  return [...inserted, changed];
};

/** The names of lists that were created before. */
const listNames = (clause: Clause): readonly string[] =>
  clause.kind === 'with'
    ? clause.items.flatMap(({ value, alias }) =>
        alias !== null && value.kind === 'call' && value.name === 'list_transform' ? [alias.text] : [],
      )
    : [];

/** The expressions of the items of a projection, or of an UNWIND. */
const partsWithLists = (clause: Clause): ReadonlySet<Expression> =>
  new Set([...expressionsIn(clause.kind === 'with' || clause.kind === 'return' ? clause.items : clause)]);

const listOf = (value: Expression): Listed | null => {
  if (value.kind !== 'subquery' || value.word !== 'COLLECT') return null;
  const [[match, returned, ...others] = [], ...parts] = value.query.parts;
  const isSimple = match?.kind === 'match' && !match.optional && returned !== undefined && isPlain(returned);
  const [only, more] = returned?.kind === 'return' ? returned.items : [];
  const isOne = only !== undefined && more === undefined && aggregatesIn(only.value).length === 0;
  if (!isSimple || !isOne || others.length > 0 || parts.length > 0) {
    throw new QueryFault(
      'COLLECT { … } with one MATCH and one value is possible here: write OPTIONAL MATCH and collect(…).',
      value.start,
    );
  }
  return { match: { ...match, optional: true }, value: only.value };
};

const isPlain = (clause: Clause): clause is ProjectionClause =>
  clause.kind === 'return' &&
  !clause.distinct &&
  clause.orderBy.length === 0 &&
  clause.skip === null &&
  clause.limit === null;

const namesOf = (scope: Scope): readonly string[] => [...scope.keys()];

/** `found`: whether the MATCH found something in a row. */
const perRow = (
  names: readonly string[],
  match: MatchClause,
  made: (found: Expression) => Columns,
  { newName }: QuirkContext,
): readonly Clause[] => {
  const rows = repeatedRows(names, newName, match);
  const [first, ...others] = match.paths;
  const [relationship, ...more] = first?.steps ?? [];
  if (first === undefined || relationship === undefined || relationship.length !== null) {
    throw new QueryFault(
      'This pattern cannot be matched for each row here: write OPTIONAL MATCH and an aggregate.',
      match.start,
    );
  }
  const called = relationship.name ?? name(newName(), match);
  const paths = [{ ...first, steps: [{ ...relationship, name: called }, ...more] }, ...others];
  return [
    rows.before,
    { ...match, optional: true, paths },
    projection('with', [...itself(rows.names, match), ...made(isNotNull(variable(called.text, match)))], match),
    rows.after,
  ];
};

const CALL_FAULT =
  'CALL { … } with one MATCH and a RETURN without LIMIT is possible on this kind of instance: write its clauses one after the other, with WITH between them.';

/** `CALL (n) { MATCH … RETURN … }`. */
const calledRows = (clause: SubqueryClause, scope: Scope | undefined, context: QuirkContext): readonly Clause[] => {
  const [clauses = [], ...parts] = clause.query.parts;
  const isImport =
    clause.imports === null &&
    clauses[0]?.kind === 'with' &&
    clauses[0].items.every(({ value, alias }) => value.kind === 'variable' && alias === null);
  const [match, returned, ...others] = isImport ? clauses.slice(1) : clauses;
  const outer = new Set(scope?.keys());
  if (
    match?.kind !== 'match' ||
    returned === undefined ||
    !isPlain(returned) ||
    others.length > 0 ||
    parts.length > 0
  ) {
    throw new QueryFault(CALL_FAULT, clause.start);
  }
  const imported = new Set(
    isImport && clauses[0]?.kind === 'with'
      ? clauses[0].items.flatMap(({ value }) => (value.kind === 'variable' ? [value.name] : []))
      : (clause.imports ?? []).map(({ text }) => text),
  );
  const clash = namesOfPaths(match.paths).find((text) => outer.has(text) && !imported.has(text));
  if (clash !== undefined)
    throw new QueryFault(`${clash} has another meaning outside of CALL; choose another name.`, clause.start);
  const items = returned.items.map(
    ({ value, alias }) => [value, alias?.text ?? (value.kind === 'variable' ? value.name : context.newName())] as const,
  );
  if (items.every(([value]) => aggregatesIn(value).length === 0))
    return [match, projection('with', [...itself(outer, clause), ...items], returned)];
  if (!items.every(([value]) => isAggregate(value))) throw new QueryFault(CALL_FAULT, clause.start);
  const made = (found: Expression): Columns =>
    items.map(([value, text]) => [match.optional || !isAggregate(value) ? value : ofFound(value, found), text]);
  return perRow([...outer], match, made, context);
};

/** An aggregate of the rows in which something was found. */
const ofFound = (value: Call, found: Expression): Call => {
  const [first, ...others] = value.arguments;
  const counted = first === undefined || first.kind === 'star' ? literal(true, value) : first;
  return { ...value, arguments: [make('CASE WHEN _1 THEN _2 END', value, found, counted), ...others] };
};
