import { make } from '../../cypher/template';
import { type Case, type Expression } from '../../cypher/tree';
import { operandsOf } from '../../cypher/walk';

/** The operands that an expression compares with each other, or with the values of other rows. */
export const comparedIn = (value: Expression): readonly Expression[] => {
  if (value.kind === 'comparison') return operandsOf(value);
  if (value.kind === 'binary' && value.operator === 'IN')
    return [value.left, ...(value.right.kind === 'list' ? value.right.items : [value.right])];
  if (value.kind === 'call') return ORDERS.test(value.name) ? value.arguments.slice(0, 1) : [];
  return value.kind === 'case' && value.subject !== null
    ? [value.subject, ...value.branches.map(({ when }) => when)]
    : [];
};

const ORDERS = /^(min|max|percentile(cont|disc)|list\.sort)$/i;

/** `CASE x WHEN y` as `CASE WHEN x = y`. */
export const withComparisons = (value: Case): Case => {
  const { subject, branches } = value;
  if (subject === null) return value;
  const tested = branches.map(({ when, then }) => ({ when: make('_1 = _2', when, subject, when), then }));
  return { ...value, subject: null, branches: tested };
};
