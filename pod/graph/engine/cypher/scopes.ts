import { EMPTY_SCHEMA, type GraphSchema } from '../graph-schema';
import { aggregatesIn, combinesRows } from './aggregates';
import { checkAggregates, checkGroups, isOrderKnown } from './check-groups';
import { ExpressionTypes, itemOf, type Scope, type TypeOf, withoutMost } from './expression-types';
import { fail } from './query-fault';
import { ALL_NAMES, checkArgument, described, introduced, typeOfName, UNLISTED } from './scope';
import { shape } from './shape';
import { edgeTablesOf, endsOf, type Step, stepsOf } from './steps';
import {
  type Clause,
  type Comprehension,
  type Expression,
  type LabelTest,
  type Name,
  type NodePattern,
  type PathPattern,
  type ProjectionClause,
  type Quantifier,
  type Query,
  type Reduction,
} from './tree';
import { common, UNKNOWN, type ValueType } from './value-type';
import { operandsOf, ownNames } from './walk';

/** The types of a query's values, and of the names before and after each clause, including those of subqueries. */
interface Scopes {
  readonly typeOf: TypeOf;
  readonly before: ReadonlyMap<Clause, Scope>;
  readonly after: ReadonlyMap<Clause, Scope>;
}

const remembered = new WeakMap<Query, Resolver>();

/**
 * Resolves the names of a query by the rules of openCypher and infers the types of its values; those of parameters are
 * unknown. Throws a `QueryFault` if a name is unknown, bound twice, or of the wrong kind for its place, and for an
 * aggregate in a place where it is not allowed.
 */
export const inferredTypes = (query: Query, schema: GraphSchema): Scopes => {
  const found = remembered.get(query);
  if (found?.types.schema === schema) return found;
  return resolved(query, schema, false);
};

const resolved = (query: Query, schema: GraphSchema, isWritten: boolean): Scopes => {
  const resolver = new Resolver(new ExpressionTypes(schema), isWritten);
  resolver.query(query, new Map(), 'result');
  remembered.set(query, resolver);
  return resolver;
};

/** The same without a schema: the kinds of the names are known, and not the tables of nodes. */
export const scopesOf = (query: Query): Scopes => remembered.get(query) ?? resolved(query, EMPTY_SCHEMA, false);

/** The same for a query as it is written, whose aggregates and columns are checked, too. */
export const checkedScopes = (query: Query): Scopes => resolved(query, EMPTY_SCHEMA, true);

export const valueTypes = (query: Query, schema: GraphSchema): TypeOf => inferredTypes(query, schema).typeOf;

class Resolver implements Scopes {
  readonly before = new Map<Clause, Scope>();
  readonly after = new Map<Clause, Scope>();
  readonly typeOf: TypeOf;

  /** `isWritten`: a query that a cure changed may have aggregates in other places, and columns without the same text. */
  constructor(
    readonly types: ExpressionTypes,
    private readonly isWritten = false,
  ) {
    this.typeOf = types.typeOf;
  }

  /**
   * Returns the columns of the result; `ending`: whether a result is required; `imports`: whether only a WITH at the
   * beginning of a part can use outer names.
   */
  query({ parts }: Query, outer: Scope, ending: 'result' | 'any', imports = false): Scope {
    const results = parts.map((clauses) =>
      this.#part(clauses, imports && clauses[0]?.kind !== 'with' ? new Map() : outer, ending),
    );
    const [first = new Map<string, ValueType>()] = results;
    for (const [index, columns] of results.entries()) {
      const isSame = !this.isWritten || haveSameNames(first, columns);
      const last = parts[index]?.at(-1);
      if (!isSame && last !== undefined) {
        fail('All parts of a UNION need the same columns: name them alike with AS.', last);
      }
    }
    return new Map(
      [...first].map(([name]) => [name, results.map((columns) => columns.get(name) ?? UNKNOWN).reduce(common)]),
    );
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
        if (clause.where !== null && /^(node|relationship|path)$/.test(found?.kind ?? ''))
          fail(`A condition cannot be ${described(found)}; write IS NOT NULL behind it, or a property.`, clause.where);
        // Conditions of an OPTIONAL MATCH do not apply to nodes that were bound before.
        return clause.optional ? new Map([...after, ...scope]) : after;
      }
      case 'unwind':
        this.#condition(clause.list, scope);
        return introduced(scope, clause.name, itemOf(this.typeOf(clause.list)));
      case 'call_procedure': {
        for (const value of clause.arguments) this.#condition(value, scope);
        const names = (clause.yields ?? []).map(({ name, alias }) => alias ?? name);
        const before = clause.yields === null ? new Map(scope).set(UNLISTED, UNKNOWN) : scope;
        const after = names.reduce((all, name) => introduced(all, name, UNKNOWN), before);
        this.#condition(clause.where, after);
        return after;
      }
      case 'call_query': {
        const imports = clause.imports?.flatMap((name): readonly (readonly [string, ValueType])[] =>
          name.text === ALL_NAMES ? [...scope] : [[name.text, typeOfName(scope, name.text, name)]],
        );
        const result = this.query(clause.query, new Map(imports ?? scope), 'result', imports === undefined);
        const place = { start: clause.start, end: clause.end };
        return [...result].reduce((all, [text, type]) => introduced(all, { text, ...place }, type), scope);
      }
      case 'with':
      case 'return':
        return this.#projection(clause, scope);
    }
  }

  #projection(clause: ProjectionClause, scope: Scope): Scope {
    const after = new Map<string, ValueType>();
    for (const { value, alias, start } of clause.items) {
      if (value.kind === 'star') {
        if (scope.has(UNLISTED) && scope.size > 1)
          fail('Name the results of the procedure by YIELD, or list the columns.', { start });
        else if (scope.size === 0) fail('Nothing has a name that * could stand for; list the columns.', { start });
        for (const [name, type] of scope) after.set(name, type);
        continue;
      }
      if (value.kind === 'pattern' && value.path.shortest === null)
        fail('A pattern is a condition, not a value: write [p = (a)-->(b) | p] for its paths.', value);
      this.#expression(value, scope);
      if (this.isWritten) checkAggregates(value);
      const name = alias?.text ?? (value.kind === 'variable' ? value.name : null);
      if (name === null && clause.kind === 'with') {
        fail('WITH needs a name for each expression: add AS and a name.', { start });
      }
      // Columns without a name do not conflict; in the parts of a UNION, equal ones are the same column.
      const column = name ?? shape(value);
      if (after.has(column) && name !== null)
        fail(`Two columns are named ${name}; change one by AS.`, alias ?? { start });
      after.set(column, this.typeOf(value));
    }
    if (this.isWritten) checkGroups(clause);
    const both: Scope = new Map([...scope, ...after]);
    const aggregates = clause.items.some(({ value }) => aggregatesIn(value).length > 0);
    const isStar = clause.items.some(({ value }) => value.kind === 'star');
    if (this.isWritten && combinesRows(clause) && !isStar && !isOrderKnown(clause, scope))
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
    const { nodeTables, edgeTables } = this.types.schema;
    const labels = nodeTables.map(({ label }) => label);
    const steps = new Set<string>();
    for (const { name, nodes, steps: relationships } of paths) {
      for (const node of nodes) bind(names, node.name, { kind: 'node', tables: labelled(node.labels, labels) });
      for (const step of relationships) {
        if (step.name !== null && steps.has(step.name.text)) {
          fail(
            `The relationship ${step.name.text} stands in two places of one MATCH, so it could never match.`,
            step.name,
          );
        }
        if (step.name !== null) steps.add(step.name.text);
        const tables = step.types.length > 0 ? step.types.map(({ text }) => text) : edgeTables.map(({ type }) => type);
        const type: ValueType = { kind: 'relationship', tables };
        bind(names, step.name, step.length === null ? type : { kind: 'list', item: type });
      }
      if (name !== null && names.has(name.text))
        fail(`${name.text} is already ${described(names.get(name.text))}; give the path another name.`, name);
      if (name !== null) names.set(name.text, { kind: 'path' });
    }
    const single = stepsOf(paths).filter(({ length }) => length === null);
    for (const step of [...single, ...single]) this.#narrow(step, names);
    for (const { properties, where } of paths.flatMap((path) => [...path.nodes, ...path.steps])) {
      this.#condition(properties, names);
      this.#condition(where, names);
    }
    return names;
  }

  /** The nodes of a step have labels that occur at the ends of an edge table of its types. */
  #narrow(step: Step, names: Map<string, ValueType>): void {
    const labels = this.types.schema.nodeTables.map(({ label }) => label);
    const tablesOf = (node: NodePattern): readonly string[] => {
      const type = names.get(node.name?.text ?? '');
      return type?.kind === 'node' ? type.tables : labelled(node.labels, labels);
    };
    const possible = edgeTablesOf(step, this.types.schema).flatMap(({ fromNode, toNode }) =>
      endsOf(step).flatMap(([from, to]) =>
        tablesOf(from).includes(fromNode) && tablesOf(to).includes(toNode)
          ? [[from, fromNode] as const, [to, toNode] as const]
          : [],
      ),
    );
    for (const node of [step.left, step.right]) {
      const [text, type] = [node.name?.text ?? '', names.get(node.name?.text ?? '')];
      if (type?.kind !== 'node') continue;
      const fitting = new Set(possible.flatMap(([end, label]) => (end === node ? [label] : [])));
      names.set(text, { kind: 'node', tables: type.tables.filter((table) => fitting.has(table)) });
    }
  }

  /** An expression where aggregates are not allowed. */
  #condition(value: Expression | null, scope: Scope, rule?: string): void {
    if (value === null) return;
    const [aggregate] = this.isWritten ? aggregatesIn(value) : [];
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
    if ('list' in value) {
      const outside = [...('initial' in value ? [value.initial] : []), value.list];
      this.#all(outside, scope);
      const [aggregate] = value.kind === 'comprehension' && value.value !== null ? aggregatesIn(value.value) : [];
      if (this.isWritten && aggregate !== undefined)
        fail(`Name ${aggregate.name} by WITH before; a list has no rows.`, aggregate);
      const inside = operandsOf(value).filter((operand) => !outside.includes(operand));
      this.#all(inside, this.#withLocals(value, scope));
    } else if (value.kind === 'pattern') this.#patternCondition(value.path, scope);
    else if (value.kind === 'pattern_comprehension') {
      this.#all([value.where, value.value], this.#paths([value.path], scope));
    } else if (value.kind === 'subquery') {
      const isOfValues = value.word === 'COLLECT' || (value.word === 'COUNT' && value.query.unions.includes('UNION'));
      const columns = this.query(value.query, scope, isOfValues ? 'result' : 'any');
      if (this.isWritten && value.word === 'COLLECT' && columns.size !== 1)
        fail('COLLECT { … } needs RETURN with one value; write a list [a, b] of several.', value);
    } else {
      for (const name of ownNames(value)) typeOfName(scope, name.text, name);
      this.#all(operandsOf(value), scope);
      if (value.kind === 'call') checkArgument(value, scope);
      if (value.kind === 'property' && value.of.kind === 'variable' && scope.get(value.of.name)?.kind === 'path')
        fail(`The path ${value.of.name} has no properties; use nodes(…) or relationships(…) of it.`, value);
    }
    this.types.record(value, scope);
  }

  /** The names in scope for the items of a list. */
  #withLocals(value: Comprehension | Quantifier | Reduction, scope: Scope): Scope {
    const names = new Map(scope).set(value.name.text, itemOf(this.typeOf(value.list)));
    return 'initial' in value ? names.set(value.sum.text, withoutMost(this.typeOf(value.initial))) : names;
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

const haveSameNames = (left: Scope, right: Scope): boolean =>
  left.size === right.size && [...left.keys()].every((name) => right.has(name));

/** Binds a name of a pattern, or uses one of the same kind. */
const bind = (names: Map<string, ValueType>, name: Name | null, type: ValueType): void => {
  const before = name === null ? undefined : names.get(name.text);
  if (name === null || (before !== undefined && described(before) === described(type))) return;
  if (before !== undefined && before.kind !== 'unknown' && before.kind !== 'null') {
    fail(`${name.text} is ${described(before)} and cannot be ${described(type)} here; choose another name.`, name);
  }
  names.set(name.text, type);
};

const labelled = (test: LabelTest | null, all: readonly string[]): readonly string[] =>
  test === null ? all : test.names.map(({ text }) => text);
