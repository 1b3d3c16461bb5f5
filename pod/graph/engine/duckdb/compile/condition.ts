import { type Expression } from '../../cypher/tree';
import { equalOperands } from '../../cypher/walk';
import { filteringEquality, filteringMembership } from './comparison';
import { type Frame } from './frame';
import { type Value } from './type';

/** A condition: true, false or null. */
export const compileCondition = (value: Expression, frame: Frame): string =>
  truth(frame.expression(value), value, frame);

/** A condition of which only the truth counts, in the form that can use the order of tables. */
export const compileFilter = (value: Expression, frame: Frame): string => {
  const isNegated = value.kind === 'unary' && value.operator === 'NOT';
  const tested = isNegated ? value.of : value;
  if (/^(pattern|subquery)$/.test(tested.kind)) {
    const condition = frame.expression(tested);
    const sql = condition.exists ?? truth(condition, tested, frame);
    return isNegated ? `(NOT ${sql})` : sql;
  }
  if (value.kind === 'binary' && value.operator === 'IN') {
    const [member, members] = [frame.expression(value.left), frame.expression(value.right)];
    return filteringMembership(member, members, frame, value);
  }
  const [left, right] = equalOperands(value).map((operand) => frame.expression(operand));
  if (left === undefined || right === undefined) return compileCondition(value, frame);
  return filteringEquality(left, right, frame, value);
};

const truth = ({ sql, type }: Value, at: Expression, frame: Frame): string => {
  if (type.kind === 'boolean') return sql;
  if (type.kind === 'null') return 'CAST(NULL AS BOOLEAN)';
  return frame.context.refuse('A condition must be true or false; compare the value with another one.', at);
};
