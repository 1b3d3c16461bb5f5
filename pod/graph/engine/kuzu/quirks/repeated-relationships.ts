import { variable } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { type Expression } from '../../cypher/tree';
import {
  differentIds,
  type NamedStep,
  REPEATED,
  withDifferentRelationships,
} from '../../cypher/uniqueness/different-relationships';

export const repeatedRelationships: Quirk = {
  id: 'kuzu-repeated-relationships',
  description: 'One MATCH can bind the same relationship more than once.',
  shown: REPEATED,
  rewrite: (query, context) => (context.walks ? query : withDifferentRelationships(query, context, differenceOf)),
};

const IDS = "properties(rels(_1), '_id')";
const OTHER_IDS = "properties(rels(_2), '_id')";

/** A step of several lengths binds a list. */
const differenceOf = (first: NamedStep, second: NamedStep): Expression => {
  const [other, one] = first.length === null ? [second, first] : [first, second];
  if (other.length === null) return differentIds(first, second);
  const difference =
    one.length === null
      ? `NOT list_contains(${IDS}, id(_2))`
      : `size(list_distinct(list_concat(${IDS}, ${OTHER_IDS}))) = size(${IDS}) + size(${OTHER_IDS})`;
  return make(difference, second, variable(other.name.text, other), variable(one.name.text, one));
};
