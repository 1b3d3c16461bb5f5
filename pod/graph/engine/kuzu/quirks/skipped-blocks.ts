import { isAggregate } from '../../cypher/aggregates';
import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import { expressionsIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** Cured by a setting of the connection. */
export const skippedBlocks: Quirk = {
  id: 'kuzu-skipped-blocks',
  description:
    'A comparison of a property with a constant of another type skips blocks of the table that contain matches.',
  shown: {
    graph: 'CREATE (:N {id: 37})',
    query: 'MATCH (n:N) WHERE n.id > 36.5 RETURN n.id',
    right: [[37]],
    wrong: [],
  },
};

/**
 * Whether the engine skips the correct blocks of a table. It compares the minimum and maximum of each block with
 * constants, and reads a constant of another type as if it had the column's type: a fraction as an integer, a time as a
 * date. So it must read all blocks if a query has such constants or may compute some. The bounds of a block are wrong
 * if it contains NaN.
 */
export const skipsRightBlocks = (query: object, schema: GraphSchema): boolean =>
  !hasNaN(schema) && ![...expressionsIn(query)].some(mayBeOfAnotherType);

/** Whether the value written for a parameter is or contains a fraction. */
export const hasFraction = (value: Expression): boolean =>
  [...expressionsIn(value)].some(
    (inner) => isFraction(inner) || (inner.kind === 'cast' && inner.type.startsWith('DOUBLE')),
  );

const isFraction = (value: Expression): boolean => value.kind === 'number' && /^[^xX]*[.eE]/.test(value.text);

const mayBeOfAnotherType = (value: Expression): boolean => {
  if (value.kind === 'binary') return value.operator === '^';
  // Aggregates are never computed while the engine plans.
  if (value.kind === 'call') return !isAggregate(value);
  return isFraction(value) || value.kind === 'cast' || value.kind === 'quantifier';
};

const hasNaN = ({ nodeTables }: GraphSchema): boolean =>
  nodeTables.some(({ properties }) => properties.some(({ holds }) => holds?.includes('NaN') ?? false));
