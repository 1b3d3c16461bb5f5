import { type Expression } from '../../cypher/tree';
import { filteringEquality, filteringMembership } from './comparison';
import { type Frame } from './frame';
import { type Value } from './type';

/** A condition: true, false or null. */
export const compileCondition = (value: Expression, frame: Frame): string =>
  truth(frame.compilers.expression(value, frame), value, frame);

/** A condition of which only the truth counts, in the form that can use the order of tables. */
export const compileFilter = (value: Expression, frame: Frame): string => {
  const isNegated = value.kind === 'unary' && value.operator === 'NOT';
  const tested = isNegated ? value.of : value;
  if (/^(pattern|subquery|call)$/.test(tested.kind)) {
    const condition = frame.compilers.expression(tested, frame);
    const sql = condition.exists ?? truth(condition, tested, frame);
    return isNegated ? `(NOT ${sql})` : sql;
  }
  if (value.kind === 'binary' && value.operator === 'IN') {
    const [member, members] = [
      frame.compilers.expression(value.left, frame),
      frame.compilers.expression(value.right, frame),
    ];
    return filteringMembership(member, members, frame, value);
  }
  if (value.kind !== 'comparison' || value.rest.length !== 1 || value.rest[0]?.operator !== '=')
    return compileCondition(value, frame);
  const [left, right] = [
    frame.compilers.expression(value.first, frame),
    frame.compilers.expression(value.rest[0].right, frame),
  ];
  return filteringEquality(left, right, frame, value);
};

const truth = ({ sql, type }: Value, at: Expression, frame: Frame): string => {
  if (type.kind === 'boolean') return sql;
  if (type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  return frame.context.refuse('A condition must be true or false; compare the value with another one.', at);
};
