import { type BinaryOperator, type Expression } from './tree';

/** How strongly operators bind in an engine; higher numbers bind more. */
export interface OperatorStrengths {
  readonly binary: Readonly<Record<BinaryOperator, number>>;
  readonly not: number;
  /** `=` and `<>`. */
  readonly equality: number;
  /** `<`, `<=`, `>` and `>=`. */
  readonly order: number;
  readonly sign: number;
  readonly nullTest: number;
  /** `list[0]` and `list[1..3]`. */
  readonly index: number;
  readonly property: number;
}

/** Literals, names, and all that has brackets of its own. */
const COMPLETE = 100;

/** The strength of the operator of an expression. */
export const strengthBy =
  (strengths: OperatorStrengths) =>
  (expression: Expression): number => {
    switch (expression.kind) {
      case 'lambda':
        return 0;
      case 'binary':
        return strengths.binary[expression.operator];
      case 'comparison':
        return expression.rest.some(({ operator }) => operator === '=' || operator === '<>')
          ? strengths.equality
          : strengths.order;
      case 'unary':
        return expression.operator === 'NOT' ? strengths.not : strengths.sign;
      case 'null_test':
        return strengths.nullTest;
      case 'index':
      case 'slice':
        return strengths.index;
      case 'property':
      case 'has_labels':
      case 'map_projection':
        return strengths.property;
      default:
        return COMPLETE;
    }
  };
