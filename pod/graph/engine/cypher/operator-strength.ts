import { type BinaryOperator, type Expression } from './tree';

/** How strongly operators bind in an engine; higher numbers bind more. */
export interface OperatorStrengths {
  /** The operators of logic and arithmetic. */
  readonly binary: Readonly<Partial<Record<BinaryOperator, number>>>;
  readonly not: number;
  /** `=` and `<>`. */
  readonly equality: number;
  /** `<`, `<=`, `>` and `>=`. */
  readonly order: number;
  readonly sign: number;
  /** `IN`, `STARTS WITH`, `=~`, `IS NULL` and the like. */
  readonly predicate: number;
  /** `list[0]` and `list[1..3]`. */
  readonly index: number;
  readonly property: number;
}

/** Literals, names, and expressions with their own brackets. */
const COMPLETE = 100;

/** Returns the precedence of an expression's operator. */
export const strengthBy =
  (strengths: OperatorStrengths) =>
  (expression: Expression): number => {
    const { kind } = expression;
    if (kind === 'binary') return strengths.binary[expression.operator] ?? strengths.predicate;
    if (kind === 'comparison') {
      const isEquality = expression.rest.some(({ operator }) => operator === '=' || operator === '<>');
      return isEquality ? strengths.equality : strengths.order;
    }
    if (kind === 'unary') return expression.operator === 'NOT' ? strengths.not : strengths.sign;
    if (kind === 'null_test') return strengths.predicate;
    if (kind === 'index' || kind === 'slice') return strengths.index;
    return ACCESSES.has(kind) ? strengths.property : COMPLETE;
  };

const ACCESSES: ReadonlySet<Expression['kind']> = new Set(['property', 'has_labels', 'map_projection']);
