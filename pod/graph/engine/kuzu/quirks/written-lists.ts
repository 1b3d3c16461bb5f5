import { call, property } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { make } from '../../cypher/template';
import {
  type Comprehension,
  type Expression,
  type IndexAccess,
  type Reduction,
  type SliceAccess,
} from '../../cypher/tree';
import { type ValueType } from '../../cypher/value-type';
import { withNewNames } from '../../cypher/walk';

/** A literal integer; null for anything else. */
const integerOf = (value: Expression | null): number | null => {
  if (value?.kind === 'unary' && value.operator === '-' && value.of.kind === 'number') return -Number(value.of.text);
  return value?.kind === 'number' && Number.isSafeInteger(Number(value.text)) ? Number(value.text) : null;
};

/** `list[0]`, and `node['name']`. */
export const writtenElement = (value: IndexAccess, of: ValueType): Expression => {
  const { at } = value;
  if (at.kind === 'literal' && typeof at.value === 'string') {
    return property(value.of, at.value, value);
  }
  const isList = of.kind === 'list' || of.kind === 'unknown' || of.kind === 'null';
  if (!isList) throw new QueryFault(`Only lists have elements with numbers, and this is a ${of.kind}.`, value.of.start);
  const index = integerOf(at);
  if (index !== null) {
    const [place, least] = index < 0 ? [index, -index] : [index + 1, index + 1];
    return make(`list_extract(_1, CASE WHEN size(_1) >= ${least} THEN ${place} END)`, value, value.of);
  }
  const place = 'CASE WHEN _2 >= 0 AND _2 < size(_1) THEN _2 + 1 WHEN _2 < 0 AND _2 >= -size(_1) THEN _2 END';
  return make(`list_extract(_1, ${place})`, value, value.of, at);
};

/** `list[1..3]`: from the second to the third element. A colon is the engine's own: from the first to the third. */
export const writtenSlice = (value: SliceAccess): Expression => {
  if (value.separator === ':') return value;
  const bound = (
    part: Expression | null,
    missing: number,
    text: string,
    known: (index: number) => number,
  ): Expression => {
    const index = part === null ? missing : integerOf(part);
    if (part === null) return make(`${missing}`, value);
    return index === null ? make(text, part, part) : make(`${known(index)}`, part);
  };
  const from = bound(value.from, 1, 'CASE WHEN _1 >= 0 THEN _1 + 1 ELSE _1 END', (index) =>
    index < 0 ? index : index + 1,
  );
  const to = bound(value.to, -1, 'CASE WHEN _1 < 0 THEN _1 - 1 ELSE _1 END', (index) =>
    index < 0 ? index - 1 : index,
  );
  return make('list_slice(_1, _2, _3)', value, value.of, from, to);
};

/** In the engine a name of a lambda must be unique; it does not have a condition that is correct for several rows. */
export const writtenComprehension = (original: Comprehension, newName: () => string): Expression => {
  if (original.where !== null) {
    throw new QueryFault(
      'A condition on the elements of a list is possible for a few thousand rows on this kind of instance: UNWIND the list first.',
      original.where.start,
    );
  }
  const { name, list, value, start, end } = withNewNames(original, newName);
  return value === null
    ? list
    : call('list_transform', [list, { kind: 'lambda', names: [name], value, start, end }], original);
};

export const refusedReduction = ({ start }: Reduction): never => {
  throw new QueryFault(
    'reduce is possible for a few thousand rows on this kind of instance: write list_reduce(list, (sum, x) -> sum + x).',
    start,
  );
};
