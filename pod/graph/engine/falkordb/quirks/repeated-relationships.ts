import { type Quirk } from '../../cypher/quirk';
import { type Expression } from '../../cypher/tree';
import {
  differentIds,
  type NamedStep,
  REPEATED,
  withDifferentRelationships,
} from '../../cypher/uniqueness/different-relationships';

export const repeatedRelationships: Quirk = {
  id: 'falkordb-repeated-relationships',
  description: 'One MATCH can bind the same relationship more than once.',
  shown: REPEATED,
  rewrite: (query, context) => (context.walks ? query : withDifferentRelationships(query, context, differenceOf)),
};

/** Steps of several lengths are paths in the engine; they are expanded, or cause a warning. */
const differenceOf = (first: NamedStep, second: NamedStep): Expression | null =>
  (first.length ?? second.length) === null ? differentIds(first, second) : null;
