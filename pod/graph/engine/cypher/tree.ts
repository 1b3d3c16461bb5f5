import { type ValueType } from './value-type';

/** The place of a part of a query in the original text: offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A reading statement. */
export interface Statement {
  readonly explain: 'EXPLAIN' | 'EXPLAIN LOGICAL' | 'PROFILE' | null;
  readonly query: Query;
}

/** Lists of clauses; a UNION has several, with one operator between two lists. */
export interface Query {
  readonly parts: readonly (readonly Clause[])[];
  readonly unions: readonly ('UNION' | 'UNION ALL')[];
}

export type Clause = MatchClause | UnwindClause | ProcedureClause | SubqueryClause | ProjectionClause;

export interface MatchClause extends Span {
  readonly kind: 'match';
  readonly optional: boolean;
  readonly paths: readonly PathPattern[];
  readonly where: Expression | null;
}

/** `UNWIND list AS name`. */
export interface UnwindClause extends Span {
  readonly kind: 'unwind';
  readonly list: Expression;
  readonly name: Name;
}

/** `CALL procedure(…) YIELD a, b AS c WHERE …`. */
export interface ProcedureClause extends Span {
  readonly kind: 'call_procedure';
  /** As written, joined by dots. */
  readonly name: string;
  readonly arguments: readonly Expression[];
  /** Null without YIELD. */
  readonly yields: readonly Yield[] | null;
  readonly where: Expression | null;
}

export interface Yield {
  readonly name: Name;
  readonly alias: Name | null;
}

/** `CALL { … }`, or `CALL (a, b) { … }` with the names it imports. */
export interface SubqueryClause extends Span {
  readonly kind: 'call_query';
  readonly imports: readonly Name[] | null;
  readonly query: Query;
}

/** WITH or RETURN. */
export interface ProjectionClause extends Span {
  readonly kind: 'with' | 'return';
  readonly distinct: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip: Expression | null;
  readonly limit: Expression | null;
  /** Only after WITH. */
  readonly where: Expression | null;
}

/** `n.age + 1 AS older`; `star`: all names, the alias is null. */
export interface ProjectionItem extends Span {
  readonly value: Expression;
  readonly alias: Name | null;
}

export interface SortItem extends Span {
  readonly value: Expression;
  readonly descending: boolean;
}

/** A name chosen by the author of the query, without its backticks. */
export interface Name extends Span {
  readonly text: string;
}

/** `p = (a)-[r:KNOWS]->(b)`: has one more node than steps. */
export interface PathPattern extends Span {
  readonly name: Name | null;
  /** `shortestPath(…)` and `allShortestPaths(…)` around the pattern. */
  readonly shortest: 'one' | 'all' | null;
  readonly nodes: readonly NodePattern[];
  readonly steps: readonly StepPattern[];
}

export interface NodePattern extends Span {
  readonly name: Name | null;
  readonly labels: LabelTest | null;
  /** A map or a parameter. */
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

/** `:A:B` and `:A&B` require all names, `:A|B` any of them. */
export interface LabelTest extends Span {
  readonly names: readonly Name[];
  readonly of: 'all' | 'any';
}

export interface StepPattern extends Span {
  readonly name: Name | null;
  /** Empty: any type. */
  readonly types: readonly Name[];
  readonly direction: 'right' | 'left' | 'both';
  /** The lengths after `*`; null for a single relationship. */
  readonly length: PathLength | null;
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

export interface PathLength extends Span {
  /** Null: omitted. */
  readonly min: Expression | null;
  readonly max: Expression | null;
}

export type Expression =
  | Literal
  | NumberLiteral
  | Parameter
  | Variable
  | Star
  | ListLiteral
  | MapLiteral
  | MapProjection
  | PropertyAccess
  | IndexAccess
  | SliceAccess
  | HasLabels
  | Unary
  | Binary
  | Comparison
  | NullTest
  | Call
  | Case
  | Comprehension
  | PatternComprehension
  | Quantifier
  | Reduction
  | PatternExpression
  | SubqueryExpression;

export interface Literal extends Span {
  readonly kind: 'literal';
  readonly value: string | boolean | null;
}

export interface NumberLiteral extends Span {
  readonly kind: 'number';
  /** As written: decimal, hexadecimal `0x…`, octal `0o…`, with a fraction or an exponent. */
  readonly text: string;
}

/** Without its `$`. */
export interface Parameter extends Span {
  readonly kind: 'parameter';
  readonly name: string;
  /** The type of its value; undefined: unknown. */
  readonly type?: ValueType;
}

export interface Variable extends Span {
  readonly kind: 'variable';
  readonly name: string;
}

/** `*` in `count(*)` and in a projection. */
export interface Star extends Span {
  readonly kind: 'star';
}

export interface ListLiteral extends Span {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

export interface MapLiteral extends Span {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Name;
  readonly value: Expression;
}

/** `n {.name, .*, age: 1, other}`. */
export interface MapProjection extends Span {
  readonly kind: 'map_projection';
  readonly of: Name;
  readonly items: readonly (
    | { readonly kind: 'property' | 'variable'; readonly name: Name }
    | { readonly kind: 'all' }
    | { readonly kind: 'entry'; readonly entry: MapEntry }
  )[];
}

export interface PropertyAccess extends Span {
  readonly kind: 'property';
  readonly of: Expression;
  readonly name: Name;
}

export interface IndexAccess extends Span {
  readonly kind: 'index';
  readonly of: Expression;
  readonly at: Expression;
}

/** `list[1..3]`. */
export interface SliceAccess extends Span {
  readonly kind: 'slice';
  readonly of: Expression;
  readonly from: Expression | null;
  readonly to: Expression | null;
}

/** `n:Person` as a condition. */
export interface HasLabels extends Span {
  readonly kind: 'has_labels';
  readonly of: Expression;
  readonly labels: LabelTest;
}

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operator: 'NOT' | '-' | '+';
  readonly of: Expression;
}

export type BinaryOperator =
  'OR' | 'XOR' | 'AND' | 'IN' | 'STARTS WITH' | 'ENDS WITH' | 'CONTAINS' | '=~' | '+' | '-' | '*' | '/' | '%' | '^';

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** `a < b <= c`: true if every comparison of two neighbours is true. */
export interface Comparison extends Span {
  readonly kind: 'comparison';
  readonly first: Expression;
  readonly rest: readonly { readonly operator: ComparisonOperator; readonly right: Expression }[];
}

/** `x IS NULL`, `x IS NOT NULL`. */
export interface NullTest extends Span {
  readonly kind: 'null_test';
  readonly of: Expression;
  readonly negated: boolean;
}

export interface Call extends Span {
  readonly kind: 'call';
  /** As written, joined by dots. */
  readonly name: string;
  readonly distinct: boolean;
  readonly arguments: readonly Expression[];
}

export interface Case extends Span {
  readonly kind: 'case';
  /** The `x` of `CASE x WHEN 1 THEN …`; null if each WHEN has a condition. */
  readonly subject: Expression | null;
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
  readonly otherwise: Expression | null;
}

/** `[x IN list WHERE … | value]`. */
export interface Comprehension extends Span {
  readonly kind: 'comprehension';
  readonly name: Name;
  readonly list: Expression;
  readonly where: Expression | null;
  readonly value: Expression | null;
}

/** `[(a)-->(b) WHERE … | value]`. */
export interface PatternComprehension extends Span {
  readonly kind: 'pattern_comprehension';
  readonly path: PathPattern;
  readonly where: Expression | null;
  readonly value: Expression;
}

/** `any(x IN list WHERE …)`. */
export interface Quantifier extends Span {
  readonly kind: 'quantifier';
  readonly which: 'ALL' | 'ANY' | 'NONE' | 'SINGLE';
  readonly name: Name;
  readonly list: Expression;
  readonly where: Expression | null;
}

/** `reduce(sum = 0, x IN list | sum + x)`. */
export interface Reduction extends Span {
  readonly kind: 'reduction';
  readonly sum: Name;
  readonly initial: Expression;
  readonly name: Name;
  readonly list: Expression;
  readonly value: Expression;
}

/** A pattern as a condition or a value, including `shortestPath(…)`. */
export interface PatternExpression extends Span {
  readonly kind: 'pattern';
  readonly path: PathPattern;
}

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`; a bare pattern inside becomes a MATCH. */
export interface SubqueryExpression extends Span {
  readonly kind: 'subquery';
  readonly word: 'EXISTS' | 'COUNT' | 'COLLECT';
  readonly query: Query;
}
