import { number } from '../../cypher/build';
import { type Cure } from '../../cypher/cure';
import { valueTypes } from '../../cypher/scopes';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import { mayBeInteger, mostOf } from '../../cypher/value-type';
import { changeClauses, changeExpressions } from '../../cypher/walk';

export const MOST = 2_147_483_647;
/** The operand is computed up to three times. */
const POSITION = `CASE WHEN _1 > ${MOST} THEN ${MOST} WHEN _1 < -${MOST} THEN -${MOST} ELSE _1 END`;

const HAS_KEYS = /^(map|node|relationship)$/;

/** The engine reads 32 bits of a position in a list, and of the number of SKIP and LIMIT; nothing has more items or rows. */
export const greatPositions: Cure = (query, context) => {
  const typeOf = valueTypes(query, context.schema);
  const position = (value: Expression | null, original: Expression | null): Expression | null => {
    if (value === null || original === null) return null;
    const type = typeOf(original);
    const isGreat = (type.kind === 'integer' || mayBeInteger(type)) && mostOf(type) > MOST + 1;
    return isGreat ? make(POSITION, value, value) : value;
  };
  const count = (value: Expression | null): Expression | null =>
    (value?.kind === 'number' || value?.kind === 'parameter') && mostOf(typeOf(value)) > MOST
      ? number(String(MOST), value)
      : value;
  const counted = changeClauses(query, (clause) =>
    'limit' in clause ? { ...clause, skip: count(clause.skip), limit: count(clause.limit) } : clause,
  );
  return changeExpressions(counted, (value, original) => {
    if (value.kind === 'slice' && original.kind === 'slice')
      return { ...value, from: position(value.from, original.from), to: position(value.to, original.to) };
    if (value.kind !== 'index' || original.kind !== 'index' || HAS_KEYS.test(typeOf(original.of).kind)) return value;
    return { ...value, at: position(value.at, original.at) ?? value.at };
  });
};
