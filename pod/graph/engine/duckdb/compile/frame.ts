import { type Expression, type PathPattern, type Query } from '../../cypher/tree';
import { edgeTable, nodeTable } from '../storage';
import { type Context } from './context';
import { isSameInAllRows, mappedCode, withoutLiterals } from './literal';
import { simple, type Type, type Value } from './type';

/** A name in scope. */
export interface Variable extends Value {
  /** Whether the node or relationship exists in all rows; otherwise it may be null. */
  readonly isCertain?: boolean;
  /** The SELECT that has it. */
  readonly owner?: Frame;
  /** The nodes and relationships of a path of fixed length. */
  readonly elements?: { readonly nodes: readonly Value[]; readonly relationships: readonly Value[] };
}

export type Variables = ReadonlyMap<string, Variable>;

export interface SortKey {
  readonly sql: string;
  readonly descending: boolean;
}

type Join = 'CROSS JOIN' | 'JOIN' | 'LEFT JOIN';

/** A source of rows of a SELECT. */
interface Source {
  readonly join: Join;
  readonly rows: string;
  readonly alias: string;
  readonly on: string | null;
  /** `(x, y)`; empty: those of the rows. */
  readonly columns: string;
}

/** What expressions need of clauses, and clauses of expressions. */
export interface Compilers {
  readonly expression: (value: Expression, frame: Frame) => Value;
  /** Adds the rows that match, with their names, to a frame. */
  readonly match: (paths: readonly PathPattern[], where: Expression | null, frame: Frame) => Frame;
  /** The rows of a query: a frame with the columns of its result as variables. */
  readonly query: (query: Query, frame: Frame) => Frame;
}

/** Thrown where a lambda would need rows of a table, which DuckDB does not support. */
export class NeedsRows extends Error {}

export const hasSubquery = ({ sql }: Pick<Value, 'sql'>): boolean => /\bSELECT\b/.test(withoutLiterals(sql));

const sourceText = ({ rows, alias, columns }: Source): string => `${rows} AS ${alias}${columns}`;

/** One SELECT that is being written: where its rows come from, and the names in scope. */
export class Frame {
  /** Values of expressions that are columns already, by their shapes. */
  columns: ReadonlyMap<string, Value> = new Map();
  /** The names of the surrounding SELECTs that are in scope; null: all. */
  outerNames: ReadonlySet<string> | null = null;
  /** The order of the rows; empty: any. */
  order: readonly SortKey[] = [];
  readonly #from: Source[] = [];
  #where: readonly string[] = [];
  readonly #lookups = new Map<string, string>();
  readonly #aliases = new Set<string>();
  /** The columns from outside of this SELECT, and their alias and place among its sources. */
  readonly #imports: string[] = [];
  #imported: { readonly alias: string; readonly at: number } | null = null;

  constructor(
    readonly context: Context,
    readonly compilers: Compilers,
    /** The surrounding SELECT, or lambda, whose names are in scope, too. */
    readonly parent: Frame | null,
    public variables: Variables = new Map(),
    readonly isLambda = false,
  ) {}

  /** The variable with a name, with the frame that has it. */
  variable(name: string): Variable | null {
    const variable = this.variables.get(name);
    if (variable !== undefined) return { owner: this, ...variable };
    const outer = this.outerNames?.has(name) !== false ? (this.parent?.variable(name) ?? null) : null;
    if (this.isLambda && outer !== null && hasSubquery(outer)) throw new NeedsRows();
    return outer;
  }

  /** The value of an expression, whose names are those in scope. */
  expression(value: Expression): Value {
    return this.compilers.expression(value, this);
  }

  /** A frame for the body of a lambda. */
  lambda(variables: Variables): Frame {
    return new Frame(this.context, this.compilers, this, variables, true);
  }

  subquery(): Frame {
    if (this.isLambda) throw new NeedsRows();
    return new Frame(this.context, this.compilers, this);
  }

  /** An empty frame in the same place. */
  sibling(): Frame {
    const next = new Frame(this.context, this.compilers, this.parent, this.variables);
    next.outerNames = this.outerNames;
    return next;
  }

  /**
   * The text of a call with a lambda. DuckDB does not find columns from outside of a subquery in it, so they become
   * columns of this SELECT.
   */
  local(sql: string): string {
    return this.#select.#withOwnColumns(sql);
  }

  /** The SQL of a value that is the same in all rows; it does not hold within a correlated subquery. */
  constantOf({ constant }: Value): string | undefined {
    return this.parent === null ? constant : undefined;
  }

  get #select(): Frame {
    return this.isLambda && this.parent !== null ? this.parent.#select : this;
  }

  #withOwnColumns(sql: string, own = (column: string) => this.#import(column)): string {
    if (this.parent === null) return sql;
    return mappedCode(sql, (code) =>
      code.replaceAll(/\b([a-z]\d+)\.\w+/g, (column, alias: string) =>
        this.#aliases.has(alias) || this.parent?.hasAlias(alias) !== true ? column : own(column),
      ),
    );
  }

  /** Whether a text has columns from outside of this SELECT. */
  readsOuter(sql: string): boolean {
    return this.#withOwnColumns(sql, (column) => `(${column})`) !== sql;
  }

  /** In one source: the database may join two of them with all rows of a third one first. */
  #import(column: string): string {
    if (!this.#imports.includes(column)) this.#imports.push(column);
    const { alias, at } = (this.#imported ??= { alias: this.context.name('v'), at: this.#from.length });
    this.#aliases.add(alias);
    const columns = this.#imports.map((each, index) => `${each} AS x${index}`).join(', ');
    this.#from[at] = { join: 'CROSS JOIN', rows: `LATERAL (SELECT ${columns})`, alias, on: null, columns: '' };
    return `${alias}.x${this.#imports.indexOf(column)}`;
  }

  /** Whether the alias belongs to this SELECT or a surrounding one. */
  hasAlias(alias: string): boolean {
    return this.#aliases.has(alias) || this.parent?.hasAlias(alias) === true;
  }

  join(join: Join, rows: string, alias: string, on: string | null = null, columns = ''): void {
    if (this.isLambda) throw new NeedsRows();
    if (rows.startsWith('LATERAL ')) this.#filterSources();
    this.#aliases.add(alias);
    const isFirst = this.#from.length === 0;
    if (isFirst && join === 'LEFT JOIN')
      this.#from.push({ join, rows: '(SELECT 1)', alias: 'one', on: null, columns: '' });
    if (isFirst && join !== 'LEFT JOIN' && on !== null) this.filter(on);
    this.#from.push({ join, rows, alias, on, columns });
  }

  /** Before a source that reads the others: DuckDB would compute it for all their rows, and filter then. */
  #filterSources(): void {
    const last = this.#from.at(-1);
    if (last === undefined || last.join === 'LEFT JOIN' || last.rows.startsWith('LATERAL ')) return;
    const early = this.#where.filter((sql) => !hasSubquery({ sql }) && !this.readsOuter(sql));
    if (early.length === 0) return;
    this.#where = this.#where.filter((sql) => !early.includes(sql));
    const condition = early.join(' AND ');
    const joined = {
      ...last,
      join: 'JOIN',
      on: last.on === null ? condition : `(${last.on}) AND ${condition}`,
    } as const;
    const only = { ...last, rows: `(FROM ${sourceText(last)} WHERE ${condition})`, columns: '' };
    this.#from[this.#from.length - 1] = this.#from.length === 1 ? only : joined;
  }

  filter(condition: string): void {
    this.#where = [...this.#where, condition];
  }

  get isEmpty(): boolean {
    return this.#from.length === 0 && this.#where.length === 0;
  }

  /** The column of an expression, if a frame up to the surrounding SELECT has one. */
  columnOf(shape: () => string): Value | undefined {
    if (this.isLambda) return this.parent?.columnOf(shape);
    return this.columns.size === 0 ? undefined : this.columns.get(shape());
  }

  /** The alias of the row of a node or relationship. */
  row(id: string, kind: 'node' | 'relationship', table: number, isCertain: boolean): string {
    return this.joinedOnce(`${kind} ${table} ${id}`, (alias) => {
      const rows = kind === 'node' ? nodeTable(table) : edgeTable(table);
      this.join(isCertain ? 'JOIN' : 'LEFT JOIN', rows, alias, `${alias}._id = ${id}`);
    });
  }

  /** An empty frame without names from outside. */
  separate(): Frame {
    return new Frame(this.context, this.compilers, null);
  }

  /** The alias of a source of rows that is joined once; `key` identifies it. */
  joinedOnce(key: string, join: (alias: string) => void): string {
    const alias = this.#lookups.get(key) ?? this.context.name('r');
    if (!this.#lookups.has(key)) {
      join(alias);
      this.#lookups.set(key, alias);
    }
    return alias;
  }

  /** Uses a table that the frame reads as the row of a node. */
  registerRow(id: string, kind: 'node' | 'relationship', table: number, alias: string): void {
    this.#lookups.set(`${kind} ${table} ${id}`, alias);
  }

  /** A column for a value whose text must not be repeated. */
  column(value: Value): Value {
    if (value.isSimple === true) return value;
    const alias = this.context.name('v');
    const lateral = this.#from.length > 0 || this.parent !== null ? 'LATERAL ' : '';
    const inside = this.subquery();
    const sql = /\blambda\b/.test(value.sql) ? inside.local(value.sql) : value.sql;
    this.join('CROSS JOIN', `${lateral}(SELECT ${sql} AS x${inside.source})`, alias);
    return simple(value.type, `${alias}.x`);
  }

  /** `FROM … WHERE …` with a leading space; empty for a single row. */
  get source(): string {
    const sources = this.#from.map((source, at) => {
      const text = sourceText(source);
      if (at === 0) return text;
      return source.join === 'CROSS JOIN' ? `CROSS JOIN ${text}` : `${source.join} ${text} ON ${source.on ?? 'true'}`;
    });
    const from = sources.length === 0 ? '' : ` FROM ${sources.join(' ')}`;
    return this.#where.length === 0 ? from : `${from} WHERE ${this.#where.join(' AND ')}`;
  }

  /** `ORDER BY …` with a leading space; empty for any order. */
  get orderBy(): string {
    return sorted(this.order);
  }
}

/**
 * The list of a value over the rows of a frame. The value is a column of a SELECT of its own, because an aggregate of
 * values from outside only would belong to the surrounding SELECT.
 */
export const listOfRows = (frame: Frame, sql: string): string => {
  const keys = frame.order.map((key, at) => ({ ...key, column: `k${at}` }));
  const columns = [`${sql} AS x`, ...keys.map((key) => `${key.sql} AS ${key.column}`)].join(', ');
  const order = sorted(keys.map(({ column, descending }) => ({ sql: column, descending })));
  return `coalesce((SELECT list(x${order}) FROM (SELECT ${columns}${frame.source})), [])`;
};

/** Names for variables of the compiler begin with this character, which no text has. */
export const HIDDEN = '\0';

/** Variables without those of the compiler whose names begin with a prefix. */
export const withoutHidden = (variables: Variables, prefix: string): Variables =>
  new Map([...variables].filter(([name]) => !name.startsWith(HIDDEN + prefix)));

/** Null is the greatest value. */
export const sorted = (keys: readonly SortKey[]): string =>
  keys.length === 0
    ? ''
    : ` ORDER BY ${keys.map(({ sql, descending }) => `${sql} ${descending ? 'DESC NULLS FIRST' : 'ASC NULLS LAST'}`).join(', ')}`;

/** The text of a SELECT of variables, with the names and the order of the rows that read it by an alias. */
export const selected = (frame: Frame, variables: Variables, alias: string, closing: Closing = {}) => {
  const columns: string[] = [];
  const column = (sql: string): string => {
    const name = frame.context.name('c');
    columns.push(`${sql} AS ${name}`);
    return `${alias}.${name}`;
  };
  const read = new Map(
    [...variables].map(([name, { sql, type, isCertain, constant }]): readonly [string, Variable] => {
      const same = type.kind !== 'list' ? undefined : (constant ?? (isSameInAllRows(sql) ? sql : undefined));
      const kept = {
        ...(isCertain === undefined ? {} : { isCertain }),
        ...(same === undefined ? {} : { constant: same }),
      };
      return [name, { ...simple(type, column(sql)), ...kept }];
    }),
  );
  const isOuter = frame.order.some((key) => frame.readsOuter(key.sql));
  const kept = closing.isGrouped === true || (closing.distinct === true && isOuter) ? [] : frame.order;
  const isFirst = closing.distinct === true && kept.length > 0;
  const groups = isFirst ? ` GROUP BY ${columns.map((_, at) => at + 1).join(', ')}` : '';
  const order = kept.map(({ sql, descending }) => ({
    sql: column(isFirst ? `first(${sql}${frame.orderBy})` : sql),
    descending,
  }));
  const list = columns.length === 0 ? '1 AS one' : columns.join(', ');
  const distinct = closing.distinct === true && !isFirst ? 'DISTINCT ' : '';
  const sql = `SELECT ${distinct}${list}${frame.source}${groups}${closing.after ?? ''}`;
  return { sql, variables: read, order };
};

/** The columns of a finished SELECT. */
export interface Closing {
  readonly distinct?: boolean;
  /** `GROUP BY …`, `LIMIT …`, with a leading space. */
  readonly after?: string;
  /** Whether the rows are groups of rows. */
  readonly isGrouped?: boolean;
  /** The rows to read instead of those of the SELECT, which have its columns, too. */
  readonly rows?: (sql: string, alias: string, variables: Variables) => string;
}

/**
 * Finishes a SELECT with the variables as its columns and returns a frame that reads it. The order of the rows is kept
 * as columns, except after grouping; of equal rows DISTINCT keeps the first.
 */
export const closed = (frame: Frame, variables: Variables, closing: Closing = {}): Frame => {
  const alias = frame.context.name('t');
  const { sql, variables: read, order } = selected(frame, variables, alias, closing);
  const next = new Frame(frame.context, frame.compilers, frame.parent, read);
  next.outerNames = frame.outerNames;
  const rows = closing.rows?.(sql, alias, read) ?? sql;
  const isOneRow = frame.parent === null && closing.isGrouped === true && closing.after === '';
  if (isOneRow && [...read.values()].some(({ type }) => type.kind === 'list')) {
    const shared = frame.context.share(rows);
    next.join('CROSS JOIN', shared, alias);
    const constant = (value: Variable): string => `(SELECT ${value.sql.slice(alias.length + 1)} FROM ${shared})`;
    next.variables = new Map([...read].map(([name, value]) => [name, { ...value, constant: constant(value) }]));
  } else next.join('CROSS JOIN', `${frame.parent === null ? '' : 'LATERAL '}(${rows})`, alias);
  next.order = order;
  return next;
};

export const isEntity = (type: Type): type is Extract<Type, { readonly tables: readonly number[] }> =>
  type.kind === 'node' || type.kind === 'relationship';
