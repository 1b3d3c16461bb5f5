import { and, isNotNull, literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Binary, type Expression } from '../../cypher/tree';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions } from '../../cypher/walk';

export const nullInTexts: Quirk = {
  id: 'kuzu-null-in-texts',
  description: 'A string + null returns the string.',
  shown: {
    graph: "CREATE (:N {id: 1, name: 'a'}), (:N {id: 2})",
    query: "MATCH (n:N) WHERE n.id = 2 RETURN n.name + 'b'",
    right: [[null]],
    wrong: [['b']],
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    /** The sums that got a condition. */
    const sums = new Map<Expression, Binary>();
    return changeExpressions(query, (value) => {
      if (value.kind !== 'binary' || value.operator !== '+') return value;
      const sum = { ...value, left: sums.get(value.left) ?? value.left };
      const operands = operandsOfSum(sum);
      if (!mayBeText(sum, typeOf)) return value;
      if (operands.some((operand) => operand.kind === 'literal' && operand.value === null)) return literal(null, value);
      const condition = and(...operands.map((operand) => (isConstant(operand) ? null : isNotNull(operand))));
      if (condition === null) return value;
      const cured = make('CASE WHEN _1 THEN _2 END', value, condition, sum);
      sums.set(cured, sum);
      return cured;
    });
  },
};

const operandsOfSum = (value: Expression): readonly Expression[] =>
  value.kind === 'binary' && value.operator === '+' ? [...operandsOfSum(value.left), value.right] : [value];

const isConstant = ({ kind }: Expression): boolean =>
  kind === 'literal' || kind === 'number' || kind === 'list' || kind === 'map';

const mayBeText = (sum: Binary, typeOf: TypeOf): boolean => {
  const { kind } = typeOf(sum);
  if (kind !== 'unknown') return kind === 'text' || kind === 'list' || kind === 'null';
  return [sum.left, sum.right].every(
    (operand) => /^(unknown|null)$/.test(typeOf(operand).kind) && !isArithmetic(operand),
  );
};

const isArithmetic = (value: Expression): boolean => value.kind === 'binary' && '-*/%^'.includes(value.operator);

export const emptyParts: Quirk = {
  id: 'kuzu-empty-parts',
  description: "CONTAINS '' returns false.",
  shown: { query: "RETURN 'abc' CONTAINS ''", right: [[true]], wrong: [[false]] },
  rewrite: (query) =>
    changeExpressions(query, (value) => {
      if (value.kind !== 'binary' || value.operator !== 'CONTAINS') return value;
      const { left: whole, right: part } = value;
      if (part.kind === 'literal') return part.value === '' ? make('_1 STARTS WITH _2', value, whole, part) : value;
      return make('_1 CONTAINS _2 OR _1 STARTS WITH _2', value, whole, part);
    }),
};
