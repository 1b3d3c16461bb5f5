import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import { INTEGER_LIMIT, mostOf, mostOfResult } from '../../cypher/value-type';
import { type TypeOf, typesWithParameters } from '../../cypher/value-types';
import { changeExpressions, expressionsIn, operandsOf } from '../../cypher/walk';
import { failingIf, FLOAT_LIMIT } from '../functions';

/** Results that may be beyond 64 bits, by the greatest values of their operands, are tested in each row. */
export const overflowingIntegers: Quirk = {
  id: 'falkordb-overflowing-integers',
  description: 'An integer beyond 64 bits becomes another one.',
  rewrite: (query, context) => {
    const typeOf = typesWithParameters(query, context);
    return changeExpressions(query, (value, original) => {
      const overflow = overflowOf(original, typeOf);
      if (overflow === null) return value;
      if (expressionsIn(value).length > MOST_PARTS)
        throw new QueryFault(
          'FalkorDB does not report integers beyond 64 bits: compute with toFloat(x), or in parts by WITH.',
          value.start,
        );
      return make(`_1 + ${failingIf(overflow)}`, value, value, ...operandsOf(value));
    });
  },
};

/** Each test repeats the operands. */
const MOST_PARTS = 200;

/** The test of a result `_1` of the operands `_2` and `_3`; null if it has 64 bits. */
const overflowOf = (value: Expression, typeOf: TypeOf): string | null => {
  const types = operandsOf(value).map(typeOf);
  const [left, right] = types;
  if (left === undefined || types.some(({ kind }) => kind !== 'integer')) return null;
  if (value.kind === 'binary' && right !== undefined) {
    const test = TESTS[value.operator];
    return mostOfResult(value.operator, left, right) < INTEGER_LIMIT ? null : (test ?? null);
  }
  const isChanged =
    (value.kind === 'unary' && value.operator === '-') || (value.kind === 'call' && /^abs$/i.test(value.name));
  return isChanged && mostOf(left) >= INTEGER_LIMIT ? '_2 < 0 AND _1 < 0' : null;
};

const TESTS: Readonly<Partial<Record<string, string>>> = {
  '+': '_2 < 0 AND _3 < 0 AND _1 >= 0 OR _2 >= 0 AND _3 >= 0 AND _1 < 0',
  '-': '_2 < 0 AND _3 >= 0 AND _1 >= 0 OR _2 >= 0 AND _3 < 0 AND _1 < 0',
  '*': `abs(1.0 * _2 * _3) >= ${FLOAT_LIMIT}`,
};
