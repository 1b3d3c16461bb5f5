import { call, variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import {
  differentIds,
  type NamedStep,
  REPEATED,
  withDifferentRelationships,
} from '../../cypher/uniqueness/different-relationships';

export const repeatedRelationships: Quirk = {
  id: 'kuzu-repeated-relationships',
  description: 'A relationship may occur several times in one MATCH.',
  shown: REPEATED,
  rewrite: (query, context) =>
    context.walks
      ? query
      : withDifferentRelationships(query, context, { difference: differenceOf, order: 'as introduced' }),
};

/** A step of several lengths binds a list. */
const differenceOf = (first: NamedStep, second: NamedStep): Expression => {
  const [one, other] = first.length === null ? [first, second] : [second, first];
  if (other.length === null) return differentIds(first, second);
  const { start, end } = second;
  const list = idsOf(other);
  if (one.length === null) {
    const has = call('list_contains', [list, call('id', [variable(one.name.text, one)], one)], second);
    return { kind: 'unary', operator: 'NOT', of: has, start, end };
  }
  const size = (value: Expression): Expression => call('size', [value], second);
  const lists = [list, idsOf(one)];
  const [some, more] = lists.map(size);
  const all = size(call('list_distinct', [call('list_concat', lists, second)], second));
  if (some === undefined || more === undefined) return all;
  const sum: Expression = { kind: 'binary', operator: '+', left: some, right: more, start, end };
  return { kind: 'comparison', first: all, rest: [{ operator: '=', right: sum }], start, end };
};

const idsOf = (step: NamedStep): Expression =>
  call(
    'properties',
    [
      call('rels', [variable(step.name.text, step)], step),
      { kind: 'literal', value: '_id', start: step.start, end: step.end },
    ],
    step,
  );
