import { literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Call, type Comparison, type Expression } from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { type TypeOf, valueTypes } from '../../cypher/value-types';
import { changeExpressions } from '../../cypher/walk';

export const mixedCoalesce: Quirk = {
  id: 'kuzu-mixed-coalesce',
  description: 'coalesce of strings and numbers is an error; it is possible in a comparison by = or <>.',
  shown: {
    graph: "CREATE (:N {id: 1, name: 'a'}), (:N {id: 2})",
    query: 'MATCH (n:N) RETURN n.id, coalesce(n.name, 1) = 1 ORDER BY n.id',
    right: [
      [1, false],
      [2, true],
    ],
    wrong: 'error',
  },
  rewrite: (query, { schema }) => {
    const typeOf = valueTypes(query, schema);
    return changeExpressions(query, (value) => (value.kind === 'comparison' ? compared(value, typeOf) : value));
  },
};

const compared = (value: Comparison, typeOf: TypeOf): Expression => {
  const [next, ...more] = value.rest;
  if (next === undefined || more.length > 0 || !/^(=|<>)$/.test(next.operator)) return value;
  const isMixed = (side: Expression): side is Call =>
    side.kind === 'call' &&
    /^coalesce$/i.test(side.name) &&
    side.arguments.some((one) => side.arguments.some((two) => differ(typeOf(one), typeOf(two))));
  const [mixed, other] = isMixed(value.first) ? [value.first, next.right] : [next.right, value.first];
  if (!isMixed(mixed)) return value;
  return mixed.arguments.reduceRight<Expression>(
    (rest, one) => {
      const test = differ(typeOf(one), typeOf(other))
        ? make(`CASE WHEN _1 IS NOT NULL THEN ${next.operator === '<>'} END`, value, other)
        : make(`_1 ${next.operator} _2`, value, one, other);
      return make('CASE WHEN _1 IS NOT NULL THEN _2 ELSE _3 END', value, one, test, rest);
    },
    literal(null, value),
  );
};

const differ = (one: ValueType, two: ValueType): boolean => isMet(one, two) || isMet(two, one);

const isMet = (text: ValueType, number: ValueType): boolean =>
  text.kind === 'text' && (number.kind === 'integer' || number.kind === 'float');
