import { strengthBy } from '../cypher/operator-strength';
import { type Dialect } from '../cypher/query-writer';
import { PROCEDURE_ALIASES } from './vocabulary';

/** FalkorDB 4's syntax of Cypher: the operators of libcypher-parser; powers are right-associative. */
export const FALKORDB_DIALECT: Dialect = {
  name: (name) => (name.includes('`') ? null : `\`${name}\``),
  parameter: (name) => `$\`${name}\``,
  procedure: (name) => PROCEDURE_ALIASES.get(name.toUpperCase()) ?? name,
  strength: strengthBy({
    binary: {
      OR: 1,
      XOR: 2,
      AND: 3,
      '+': 7,
      '-': 7,
      '*': 8,
      '/': 8,
      '%': 8,
      '^': 9,
    },
    not: 4,
    equality: 5,
    order: 6,
    sign: 10,
    predicate: 11,
    index: 12,
    property: 12,
  }),
  bracketsLeft: new Set(['^']),
  nesting: { maxDepth: 100, readsTwice: 'brackets' },
};
