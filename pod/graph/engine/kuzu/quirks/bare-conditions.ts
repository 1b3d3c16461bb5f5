import { literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Case, type Expression } from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';

/** Also for a condition that was computed before, such as `n.id IN […]`. */
export const bareConditions: Quirk = {
  id: 'kuzu-bare-conditions',
  description:
    'CASE WHEN with a property or variable as its condition is correct in the first rows only, and changes other columns.',
  shown: {
    graph: 'CREATE (:N {id: 1, active: true}), (:N {id: 2}), (:N {id: 3, active: true}), (:N {id: 4})',
    query: 'MATCH (n:N) RETURN n.id, CASE WHEN n.active THEN 1 ELSE 0 END',
    right: [
      [1, 1],
      [2, 0],
      [3, 1],
      [4, 0],
    ],
    wrong: [
      [1, 1],
      [2, 0],
      [3, 0],
      [4, 0],
    ],
  },
  rewrite: (query) => changeExpressions(query, (value) => (value.kind === 'case' ? withComparisons(value) : value)),
};

const withComparisons = (value: Case): Expression => {
  if (value.subject === null)
    return { ...value, branches: value.branches.map(({ when, then }) => ({ when: isTrue(when), then })) };
  const branches = value.branches.filter(({ when }) => when.kind !== 'literal' || when.value !== null);
  return branches.length > 0 ? { ...value, branches } : (value.otherwise ?? literal(null, value));
};

const isTrue = (condition: Expression): Expression =>
  condition.kind === 'comparison' || condition.kind === 'null_test' || condition.kind === 'literal'
    ? condition
    : make('_1 = true', condition, condition);

export const nullInCases: Quirk = {
  id: 'kuzu-null-in-cases',
  description: 'CASE x WHEN null matches every value.',
  shown: { query: "RETURN CASE 1 WHEN null THEN 'a' ELSE 'b' END", right: [['b']], wrong: [['a']] },
};
