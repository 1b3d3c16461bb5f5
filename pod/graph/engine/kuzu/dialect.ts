import { LOGIC_AND_ARITHMETIC, strengthBy } from '../cypher/operator-strength';
import { type Dialect } from '../cypher/query-writer';
import { quoteName } from './binding/kuzu-type';

/** Kuzu 0.11's syntax of Cypher. Its grammar does not chain predicates, and a sign binds more than an index. */
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
  // Nested objects take 0.2 s at this depth and 5 s at 100; CASE after THEN takes twice the time per level.
  nesting: { maxDepth: 32, readsTwice: 'cases' },
};
