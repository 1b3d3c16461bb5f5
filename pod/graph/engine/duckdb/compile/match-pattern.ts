import { conditionsOf } from '../../cypher/build';
import { type Expression, type NodePattern, type PathPattern, type StepPattern } from '../../cypher/tree';
import { nodeTable } from '../storage';
import { compileCondition, compileFilter } from './condition';
import { edgeSource } from './edge-source';
import { byTable, differentIds } from './entity';
import { type Frame, isEntity, type Variable } from './frame';
import { type NodePart, type PathPart, pathType, PatternParts, relationshipType, type StepPart } from './pattern-parts';
import { isSelective, mayFail, propertyConditions, stepConditions } from './property-conditions';
import { listOf, NULL, simple, type Value } from './type';
import { reachedNodes, reversed, walks } from './walk-steps';

/** The id of the relationship of a single step, or the list of those of a walk, and that of its nodes. */
type Relationships = { readonly one: string } | { readonly all: string; readonly nodes: string };

const idsOf = (found: Relationships): string => ('one' in found ? `[${found.one}]` : found.all);

const idList = (values: readonly Value[]): string => `CAST([${values.map(({ sql }) => sql).join(', ')}] AS BIGINT[])`;

const nodeVariable = ({ id, tables }: NodePart): Variable => ({
  ...simple({ kind: 'node', tables }, id ?? 'NULL'),
  isCertain: true,
});

/** The rows that match the paths of a MATCH. */
export class Match {
  readonly #parts: PatternParts;
  readonly #placed = new Set<StepPart>();
  readonly #relationships = new Map<StepPart, Relationships>();
  /** Whether relationships do not lead to all nodes from those that had a value before. */
  #isApart = false;

  constructor(
    private readonly paths: readonly PathPattern[],
    private readonly frame: Frame,
    private readonly where: Expression | null,
  ) {
    this.#parts = new PatternParts(paths, frame);
  }

  added(): Frame {
    for (const node of this.#parts.nodes) this.#bind(node);
    for (let next = this.#next(); next !== null; next = this.#next()) this.#place(next);
    for (const node of this.#parts.nodes) if (node.id === null) this.#scan(node);
    this.#nameParts();
    if (!this.frame.context.walks) this.#differ();
    this.#conditions();
    return this.frame;
  }

  /** Nodes that have a value before the MATCH. */
  #bind(node: NodePart): void {
    const [first, ...others] = node.bound.map((variable) => (variable.owner ?? this.frame).column(variable));
    if (first === undefined) return;
    node.id = first.sql;
    for (const { sql } of others) this.frame.filter(`${first.sql} = ${sql}`);
    const tables = node.bound.flatMap(({ type }) => (isEntity(type) ? type.tables : []));
    const steps = this.#parts.steps.filter(({ left, right }) => left === node || right === node);
    if (steps.some(({ lengths }) => lengths === null)) return;
    if (node.bound.some(({ isCertain }) => isCertain !== true)) this.frame.filter(`${first.sql} IS NOT NULL`);
    if (tables.some((table) => !node.tables.includes(table))) this.#filterTables(first.sql, node);
  }

  #filterTables(id: string, { tables }: NodePart): void {
    this.frame.filter(tables.length === 0 ? 'false' : byTable(id, tables, () => 'true'));
  }

  /** The next step: one of whose nodes an end is known, single relationships first. */
  #next(): StepPart | null {
    const open = this.#parts.steps.filter((step) => !this.#placed.has(step));
    const isReached = ({ left, right }: StepPart): boolean => left.id !== null || right.id !== null;
    const isSingle = ({ lengths }: StepPart): boolean => lengths === null;
    const next = open.find((step) => isReached(step) && isSingle(step)) ?? open.find(isReached);
    if (next !== undefined) return next;
    if (open.length > 0) this.#isApart = true;
    const start = [...this.#parts.nodes].find(
      (node) =>
        node.id === null &&
        isSelective(node, this.where) &&
        open.some(({ left, right }) => left === node || right === node),
    );
    const [first] = open;
    if (start !== undefined) this.#scan(start);
    else if (first !== undefined && first.lengths === null) return first;
    else if (first !== undefined) this.#scan(first.left);
    else return null;
    return this.#next();
  }

  #scan(node: NodePart): void {
    this.#isApart = true;
    const { context } = this.frame;
    const alias = context.name('n');
    const [only] = node.tables;
    if (only !== undefined && node.tables.length === 1) {
      this.frame.join('CROSS JOIN', nodeTable(only), alias);
      this.frame.registerRow(`${alias}._id`, 'node', only, alias);
    } else {
      const ids = node.tables.map((table) => `SELECT _id FROM ${nodeTable(table)}`).join(' UNION ALL ');
      this.frame.join('CROSS JOIN', `(${ids === '' ? 'SELECT CAST(NULL AS BIGINT) AS _id WHERE false' : ids})`, alias);
    }
    node.id = `${alias}._id`;
  }

  #place(step: StepPart): void {
    this.#placed.add(step);
    if (step.lengths !== null) return this.#placeWalk(step, step.lengths);
    const { left, right } = step;
    const source = edgeSource(step.uses, left.id === null && right.id !== null ? 'right' : 'left');
    const alias = this.frame.context.name('e');
    const ends = [
      [left, `${alias}.${source.left}`],
      [right, `${alias}.${source.right}`],
    ] as const;
    const conditions = ends.flatMap(([node, column]) => {
      if (node.id !== null) return [`${column} = ${node.id}`];
      node.id = column;
      return [];
    });
    const bound = this.#boundRelationship(step);
    if (bound !== null) conditions.push(`${alias}._id = ${bound}`);
    this.frame.join(
      conditions.length === 0 ? 'CROSS JOIN' : 'JOIN',
      source.sql,
      alias,
      conditions.length === 0 ? null : conditions.join(' AND '),
    );
    if (source.table !== null) this.frame.registerRow(`${alias}._id`, 'relationship', source.table, alias);
    this.#relationships.set(step, { one: `${alias}._id` });
  }

  #boundRelationship({ pattern: { name } }: StepPart): string | null {
    const bound = name === null ? null : this.frame.variable(name.text);
    if (bound === null || name === null) return null;
    if (bound.type.kind === 'null') return 'CAST(NULL AS BIGINT)';
    if (bound.type.kind === 'relationship') return (bound.owner ?? this.frame).column(bound).sql;
    const advice = 'give the relationship another name';
    return this.frame.context.refuse(`${name.text} is not known to be a relationship here; ${advice}.`, name);
  }

  #placeWalk(step: StepPart, lengths: readonly [number, number]): void {
    const { context } = this.frame;
    const { pattern } = step;
    if (context.walks && lengths[1] === Infinity)
      context.refuse('Without uniqueness a relationship needs a maximum length: *1..5.', pattern);
    const isForward = step.left.id !== null;
    const [start, end] = isForward ? [step.left, step.right] : [step.right, step.left];
    const uses = isForward ? step.uses : reversed(step.uses);
    const alias = context.name('w');
    const conditions = stepConditions(pattern, this.paths, this.where);
    const walk = { start: start.id ?? 'NULL', uses, lengths, repeats: context.walks, conditions };
    const isReach = context.reaching.has(pattern);
    const rows = isReach ? reachedNodes(walk, this.frame) : walks(walk, this.frame);
    this.frame.join('CROSS JOIN', `LATERAL (${rows})`, alias);
    if (end.id === null) {
      end.id = `${alias}.b`;
      if (end.tables.length < context.schema.nodeTables.length) this.#filterTables(end.id, end);
    } else this.frame.filter(`${alias}.b = ${end.id}`);
    if (isReach) return;
    const nodes = isForward ? `${alias}.n` : `list_reverse([${step.right.id}] || ${alias}.n)[2:]`;
    this.#relationships.set(step, { all: isForward ? `${alias}.r` : `list_reverse(${alias}.r)`, nodes });
  }

  #nameParts(): void {
    const variables = new Map<string, Variable>(this.frame.variables);
    for (const node of this.#parts.nodes) for (const name of node.names) variables.set(name, nodeVariable(node));
    for (const path of this.#parts.paths) {
      for (const step of path.steps) {
        const { name } = step.pattern;
        if (name !== null && this.frame.variable(name.text) === null)
          variables.set(name.text, this.#relationshipValue(step));
      }
      if (path.pattern.name !== null) variables.set(path.pattern.name.text, this.#pathVariable(path));
    }
    this.frame.variables = variables;
  }

  #relationshipValue(step: StepPart): Variable {
    const relationship = this.#relationships.get(step);
    const type = relationshipType(step.uses);
    if (relationship === undefined) return NULL;
    if ('one' in relationship) return { ...simple(type, relationship.one), isCertain: true };
    return simple(listOf(type), relationship.all);
  }

  #pathVariable({ nodes, steps }: PathPart): Variable {
    const isFixed = steps.every((step) => step.lengths === null);
    const type = pathType(nodes, steps, this.frame.context);
    if (isFixed) {
      const elements = {
        nodes: nodes.map(nodeVariable),
        relationships: steps.map((step) => this.#relationshipValue(step)),
      };
      return { sql: `{'n': ${idList(elements.nodes)}, 'r': ${idList(elements.relationships)}}`, type, elements };
    }
    const [first] = nodes;
    const parts = steps.map((step) => this.#relationships.get(step));
    const rels = parts.map((part) => (part === undefined ? '[]' : idsOf(part)));
    const rest = parts.map((part, at) =>
      part !== undefined && 'nodes' in part ? part.nodes : `[${steps[at]?.right.id}]`,
    );
    return { sql: `{'n': [${first?.id}] || ${rest.join(' || ')}, 'r': ${rels.join(' || ')}}`, type };
  }

  /** A relationship matches once in a MATCH. */
  #differ(): void {
    const { steps } = this.#parts;
    for (const [at, step] of steps.entries())
      for (const other of steps.slice(0, at)) {
        if (!step.uses.some(({ table }) => other.uses.some((use) => use.table === table))) continue;
        const [a, b] = [this.#relationships.get(step), this.#relationships.get(other)];
        if (a === undefined || b === undefined) continue;
        const isSingle = 'one' in a && 'one' in b;
        this.frame.filter(isSingle ? differentIds(a.one, b.one) : `NOT list_has_any(${idsOf(a)}, ${idsOf(b)})`);
      }
  }

  #conditions(): void {
    for (const node of this.#parts.nodes)
      for (const pattern of node.patterns) this.#conditionsOf(nodeVariable(node), pattern);
    for (const step of this.#parts.steps)
      if (step.lengths === null) this.#conditionsOf(this.#relationshipValue(step), step.pattern);
    const conditions = conditionsOf(this.where);
    const safe = conditions.filter((condition) => !mayFail(condition));
    for (const condition of safe) this.#filter(compileFilter(condition, this.frame), condition.kind === 'comparison');
    const unsafe = conditions.filter(mayFail);
    if (unsafe.length === 0) return;
    // All rows must match before a condition may fail.
    const ids = [...this.#parts.nodes].map(({ id }) => `${id} IS NOT NULL`);
    const guards = [...ids, ...safe.map((condition) => compileCondition(condition, this.frame))];
    this.frame.filter(
      `CASE WHEN ${guards.join(' AND ')} THEN ${unsafe.map((condition) => compileCondition(condition, this.frame)).join(' AND ')} ELSE false END`,
    );
  }

  /**
   * A condition on rows that relationships lead to. The database does not know how many values columns from outside have,
   * and would join on equal properties of all rows before it follows a relationship.
   */
  #filter(sql: string, isComparison: boolean): void {
    const isTest = isComparison && !this.#isApart && this.frame.readsOuter(sql);
    this.frame.filter(isTest ? `${sql} IS TRUE` : sql);
  }

  #conditionsOf(value: Variable, pattern: NodePattern | StepPattern): void {
    for (const condition of propertyConditions(value, pattern, this.frame)) this.#filter(condition, true);
    if (pattern.where !== null) this.frame.filter(compileFilter(pattern.where, this.frame));
  }
}
