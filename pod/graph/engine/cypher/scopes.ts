import { aggregatesIn, combinesRows } from './aggregates';
import { checkAggregates, checkGroups, isOrderKnown } from './check-groups';
import { fail } from './query-fault';
import {
  ALL_NAMES,
  checkArgument,
  introduced,
  type Meaning,
  meaningOf,
  meaningOfName,
  MEANINGS,
  type Scope,
  UNLISTED,
} from './scope';
import { shape } from './shape';
import { type Clause, type Expression, type Name, type PathPattern, type ProjectionClause, type Query } from './tree';
import { localNames, operandsOf } from './walk';

/** The names in scope before and after each clause, including those of subqueries. */
interface Scopes {
  readonly before: ReadonlyMap<Clause, Scope>;
  readonly after: ReadonlyMap<Clause, Scope>;
}

const known = new WeakMap<Query, Scopes>();

/**
 * Resolves the names of a query by the rules of openCypher; cached for each tree. Throws a `QueryFault` if a name is
 * unknown, bound twice, or of the wrong kind for its place, and for an aggregate in a place where it is not allowed.
 */
export const scopesOf = (query: Query): Scopes => {
  const found = known.get(query);
  if (found !== undefined) return found;
  const resolver = new Resolver();
  resolver.query(query, new Map(), 'result');
  known.set(query, resolver);
  return resolver;
};

const ENTITIES: readonly Meaning[] = ['node', 'relationship', 'path'];

class Resolver {
  readonly before = new Map<Clause, Scope>();
  readonly after = new Map<Clause, Scope>();

  /**
   * Returns the columns of the result; `ending`: whether a result is required; `imports`: whether only a WITH at the
   * beginning of a part can use outer names.
   */
  query({ parts }: Query, outer: Scope, ending: 'result' | 'any', imports = false): Scope {
    const results = parts.map((clauses) =>
      this.#part(clauses, imports && clauses[0]?.kind !== 'with' ? new Map() : outer, ending),
    );
    const [first = new Map<string, Meaning>()] = results;
    for (const [index, columns] of results.entries()) {
      const isSame = columns.size === first.size && [...first.keys()].every((name) => columns.has(name));
      const last = parts[index]?.at(-1);
      if (!isSame && last !== undefined) {
        fail('All parts of a UNION need the same columns: name them alike with AS.', last);
      }
    }
    return first;
  }

  #part(clauses: readonly Clause[], outer: Scope, ending: 'result' | 'any'): Scope {
    let scope = outer;
    for (const [index, clause] of clauses.entries()) {
      this.before.set(clause, scope);
      const next = clauses[index + 1];
      if (clause.kind === 'return' && next !== undefined) fail('RETURN must be the last clause.', next);
      scope = this.#clause(clause, scope);
      this.after.set(clause, scope);
    }
    const last = clauses.at(-1);
    const isComplete = last?.kind === 'return' || (last?.kind === 'call_procedure' && clauses.length === 1);
    if (ending === 'result' && last !== undefined && !isComplete) {
      fail('A query must end with RETURN.', { start: last.end });
    }
    return isComplete ? scope : new Map();
  }

  #clause(clause: Clause, scope: Scope): Scope {
    switch (clause.kind) {
      case 'match': {
        const after = this.#paths(clause.paths, scope);
        this.#condition(clause.where, after);
        const found = clause.where?.kind === 'variable' ? after.get(clause.where.name) : undefined;
        if (clause.where !== null && found !== undefined && ENTITIES.includes(found))
          fail(`A condition cannot be ${MEANINGS[found]}; write IS NOT NULL behind it, or a property.`, clause.where);
        return after;
      }
      case 'unwind':
        this.#condition(clause.list, scope);
        return introduced(scope, clause.name, 'any');
      case 'call_procedure': {
        for (const value of clause.arguments) this.#condition(value, scope);
        const names = (clause.yields ?? []).map(({ name, alias }) => alias ?? name);
        const before = clause.yields === null ? new Map(scope).set(UNLISTED, 'any' as const) : scope;
        const after = names.reduce((all, name) => introduced(all, name, 'any'), before);
        this.#condition(clause.where, after);
        return after;
      }
      case 'call_query': {
        const imports = clause.imports?.flatMap((name): readonly (readonly [string, Meaning])[] =>
          name.text === ALL_NAMES ? [...scope] : [[name.text, meaningOfName(scope, name.text, name)]],
        );
        const result = this.query(clause.query, new Map(imports ?? scope), 'result', imports === undefined);
        const place = { start: clause.start, end: clause.end };
        return [...result].reduce((all, [text, meaning]) => introduced(all, { text, ...place }, meaning), scope);
      }
      case 'with':
      case 'return':
        return this.#projection(clause, scope);
    }
  }

  #projection(clause: ProjectionClause, scope: Scope): Scope {
    const after = new Map<string, Meaning>();
    for (const { value, alias, start } of clause.items) {
      if (value.kind === 'star') {
        if (scope.has(UNLISTED) && scope.size > 1)
          fail('Name the results of the procedure by YIELD, or list the columns.', { start });
        else if (scope.size === 0) fail('Nothing has a name that * could stand for; list the columns.', { start });
        for (const [name, meaning] of scope) after.set(name, meaning);
        continue;
      }
      if (value.kind === 'pattern' && value.path.shortest === null)
        fail('A pattern is a condition, not a value: write [p = (a)-->(b) | p] for its paths.', value);
      this.#expression(value, scope);
      checkAggregates(value);
      const name = alias?.text ?? (value.kind === 'variable' ? value.name : null);
      if (name === null && clause.kind === 'with') {
        fail('WITH needs a name for each expression: add AS and a name.', { start });
      }
      // Columns without a name do not conflict; in the parts of a UNION, equal ones are the same column.
      const column = name ?? shape(value);
      if (after.has(column) && name !== null)
        fail(`Two columns are named ${name}; change one by AS.`, alias ?? { start });
      after.set(column, meaningOf(value, scope));
    }
    checkGroups(clause);
    const both: Scope = new Map([...scope, ...after]);
    const aggregates = clause.items.some(({ value }) => aggregatesIn(value).length > 0);
    const isStar = clause.items.some(({ value }) => value.kind === 'star');
    if (combinesRows(clause) && !isStar && !isOrderKnown(clause, scope))
      fail(
        'After DISTINCT or an aggregate, ORDER BY and WHERE can use columns only: add the value as a column.',
        clause.orderBy[0]?.value ?? clause.where ?? clause,
      );
    for (const { value } of clause.orderBy) {
      if (aggregates) this.#expression(value, both);
      else this.#condition(value, both);
    }
    for (const value of [clause.skip, clause.limit]) {
      if (value !== null)
        this.#condition(value, new Map(), 'SKIP and LIMIT need a number that is the same for all rows');
    }
    this.#condition(clause.where, both);
    return after;
  }

  /** The names after a MATCH. */
  #paths(paths: readonly PathPattern[], scope: Scope): Scope {
    const names = new Map(scope);
    const steps = new Set<string>();
    for (const { name, nodes, steps: relationships } of paths) {
      for (const node of nodes) if (node.name !== null) this.#bind(names, node.name, 'node');
      for (const step of relationships) {
        if (step.name === null) continue;
        if (steps.has(step.name.text)) {
          fail(
            `The relationship ${step.name.text} stands in two places of one MATCH, so it could never match.`,
            step.name,
          );
        }
        steps.add(step.name.text);
        this.#bind(names, step.name, step.length === null ? 'relationship' : 'relationships');
      }
      if (name !== null && names.has(name.text))
        fail(`${name.text} is already ${MEANINGS[names.get(name.text) ?? 'any']}; give the path another name.`, name);
      if (name !== null) names.set(name.text, 'path');
    }
    for (const { properties, where } of paths.flatMap((path) => [...path.nodes, ...path.steps])) {
      this.#condition(properties, names);
      this.#condition(where, names);
    }
    return names;
  }

  /** Binds a name of a pattern, or uses one of the same kind. */
  #bind(names: Map<string, Meaning>, name: Name, meaning: Meaning): void {
    const before = names.get(name.text);
    if (before !== undefined && before !== 'any' && before !== meaning) {
      fail(`${name.text} is ${MEANINGS[before]} and cannot be ${MEANINGS[meaning]} here; choose another name.`, name);
    }
    names.set(name.text, meaning);
  }

  /** An expression where aggregates are not allowed. */
  #condition(value: Expression | null, scope: Scope, rule?: string): void {
    if (value === null) return;
    const [aggregate] = aggregatesIn(value);
    if (aggregate !== undefined) {
      fail(
        rule ??
          `${aggregate.name} is possible in WITH and RETURN only: write WITH …, ${aggregate.name}(…) AS value before.`,
        aggregate,
      );
    }
    if (rule !== undefined && operandsOf(value).some(({ kind }) => kind === 'variable')) fail(`${rule}.`, value);
    this.#expression(value, scope);
  }

  #expression(value: Expression, scope: Scope): void {
    if (value.kind === 'variable') meaningOfName(scope, value.name, value);
    else if ('list' in value) {
      const outside = [...('initial' in value ? [value.initial] : []), value.list];
      this.#all(outside, scope);
      const [aggregate] = value.kind === 'comprehension' && value.value !== null ? aggregatesIn(value.value) : [];
      if (aggregate !== undefined) fail(`Name ${aggregate.name} by WITH before; a list has no rows.`, aggregate);
      const locals = localNames(value).map((text) => [text, 'any'] as const);
      const inside = operandsOf(value).filter((operand) => !outside.includes(operand));
      this.#all(inside, new Map([...scope, ...locals]));
    } else if (value.kind === 'pattern') this.#patternCondition(value.path, scope);
    else if (value.kind === 'pattern_comprehension') {
      this.#all([value.where, value.value], this.#paths([value.path], scope));
    } else if (value.kind === 'subquery') this.query(value.query, scope, value.word === 'COLLECT' ? 'result' : 'any');
    else {
      for (const name of namesOf(value)) meaningOfName(scope, name.text, name);
      this.#all(operandsOf(value), scope);
      if (value.kind === 'call') checkArgument(value, scope);
      if (value.kind === 'property' && value.of.kind === 'variable' && scope.get(value.of.name) === 'path')
        fail(`The path ${value.of.name} has no properties; use nodes(…) or relationships(…) of it.`, value);
    }
  }

  #all(values: readonly (Expression | null)[], scope: Scope): void {
    for (const value of values) if (value !== null) this.#expression(value, scope);
  }

  /** A pattern as a condition or a value does not introduce names. */
  #patternCondition(path: PathPattern, scope: Scope): void {
    const unknown = [path, ...path.nodes, ...path.steps]
      .flatMap(({ name }) => name ?? [])
      .find(({ text }) => !scope.has(text));
    if (unknown !== undefined)
      fail(
        `Unknown name ${unknown.text}: a pattern in an expression cannot introduce names; use MATCH, or leave it out.`,
        unknown,
      );
    this.#paths([path], scope);
  }
}

/** The names of `n {.name, other}` that are those of variables. */
const namesOf = (value: Expression): readonly Name[] =>
  value.kind === 'map_projection'
    ? [value.of, ...value.items.flatMap((item) => (item.kind === 'variable' ? [item.name] : []))]
    : [];
