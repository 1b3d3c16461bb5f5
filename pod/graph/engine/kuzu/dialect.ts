import { LOGIC_AND_ARITHMETIC, strengthBy } from '../cypher/operator-strength';
import { type Dialect } from '../cypher/query-writer';
import { quoteName } from './binding/kuzu-type';

/** How Kuzu 0.11 reads Cypher. Its grammar has no chains of predicates, and a sign before an index applies first. */
export const KUZU_DIALECT: Dialect = {
  name: (name) => quoteName(name.replaceAll('`', '``')),
  strength: strengthBy({
    binary: LOGIC_AND_ARITHMETIC,
    not: 4,
    equality: 5,
    order: 5,
    sign: 12,
    predicate: 12,
    index: 12,
    property: 13,
  }),
  bracketsLeft: new Set(['IN', 'STARTS WITH', 'ENDS WITH', 'CONTAINS', '=~']),
  anyLabel: ':',
  // Objects in objects take 0.2 s at this depth and 5 s at 100; CASE after THEN twice the time with each level.
  nesting: { maxDepth: 32, readsTwice: 'cases' },
};
