import { createQueryPreparation, type QueryPreparation } from '../cypher/query-preparation';
import { type Quirk } from '../cypher/quirk';
import { constantConditions, keptValues, limitedRows, overlookedNames } from './quirks/early-conditions';
import { greatIntegers } from './quirks/great-integers';
import { groupedValues } from './quirks/grouped-values';
import { importedNames, subqueries } from './quirks/subqueries';
import { exactTimes } from './quirks/exact-times';
import { indexedKeys } from './quirks/indexed-keys';
import { boundRelationships, namedSteps, patternConditions, repeatedRelationships } from './quirks/matched-parts';
import { nullMaps } from './quirks/null-maps';
import { matchesAfterOptional, nullNodes } from './quirks/null-nodes';
import { shortestPaths } from './quirks/shortest-paths';
import { storedTimes } from './quirks/stored-times';
import { uncertainWalks } from './quirks/uncertain-walks';
import {
  exactSums,
  nullInEqualLists,
  partsOfTexts,
  regularExpressions,
  writtenFunctions,
  writtenOperators,
} from './quirks/written-values';
import { PROCEDURE_ALIASES, VOCABULARY } from './vocabulary';
import { strengthBy } from '../cypher/operator-strength';
import { type Dialect } from '../cypher/query-writer';
import { QueryFault } from '../cypher/query-fault';
import { type Expression, type PathLength, type Query } from '../cypher/tree';
import { partsOf } from '../cypher/walk';

/** FalkorDB 4's syntax of Cypher: the operators of libcypher-parser; powers are right-associative. */
const FALKORDB_DIALECT: Dialect = {
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

/** Differences between FalkorDB 4.16 and openCypher, in the order in which they are cured. */
export const FALKORDB_QUIRKS: readonly Quirk[] = [
  nullInEqualLists,
  nullMaps,
  greatIntegers,
  writtenFunctions,
  exactSums,
  partsOfTexts,
  writtenOperators,
  regularExpressions,
  uncertainWalks,
  repeatedRelationships,
  subqueries,
  shortestPaths,
  boundRelationships,
  patternConditions,
  nullNodes,
  importedNames,
  exactTimes,
  storedTimes,
  indexedKeys,
  groupedValues,
  limitedRows,
  overlookedNames,
  keptValues,
  constantConditions,
  namedSteps,
  matchesAfterOptional,
];

export const createFalkordbPreparation = (): QueryPreparation =>
  createQueryPreparation({
    vocabulary: VOCABULARY,
    quirks: FALKORDB_QUIRKS,
    dialect: FALKORDB_DIALECT,
    check: refuseForeignSyntax,
  });

/** Throws a `QueryFault` for syntax of Kuzu that openCypher does not have, with an alternative. */
const refuseForeignSyntax = (query: Query): void => {
  for (const part of partsOf(query)) {
    const found = isExpression(part) ? foreignExpression(part) : isLength(part) ? foreignLength(part) : null;
    if (found !== null) throw new QueryFault(`FalkorDB does not know ${found.what}; ${found.instead}.`, found.start);
  }
};

interface Foreign {
  readonly what: string;
  readonly instead: string;
  readonly start: number;
}

const isExpression = (part: object): part is Expression => 'kind' in part && 'start' in part;
const isLength = (part: object): part is PathLength => 'mode' in part && 'filter' in part;

const BITS = new Set<string>(['|', '&', '<<', '>>']);

const foreignExpression = (value: Expression): Foreign | null => {
  const { kind, start } = value;
  if (kind === 'lambda') return { what: 'x -> …', instead: 'write [x IN list WHERE condition | value]', start };
  if (kind === 'named_argument') return { what: 'name := value', instead: 'write the values in their order', start };
  if (kind === 'cast') {
    return { what: 'CAST', instead: 'write toInteger(x), toFloat(x), toBoolean(x) or toString(x)', start };
  }
  if (kind === 'star' && value.of !== null) return { what: 'n.*', instead: 'write properties(n)', start };
  if (kind === 'unary' && value.operator === '!') return { what: 'x!', instead: 'write the product by reduce', start };
  if (kind === 'slice' && value.separator === ':') {
    return { what: 'list[2:3]', instead: 'write list[1..3], which counts from 0', start };
  }
  if (kind !== 'binary' || !BITS.has(value.operator)) return null;
  return { what: `operations on bits such as ${value.operator}`, instead: 'write them by *, / and %', start };
};

const foreignLength = ({ mode, filter, start }: PathLength): Foreign | null => {
  if (mode?.includes('SHORTEST') === true) {
    const instead = 'write WITH a, b RETURN shortestPath((a)-[:TYPE*]->(b)), or allShortestPaths in MATCH';
    return { what: mode, instead, start };
  }
  if (mode !== null) return { what: mode, instead: 'name each step and write r1 <> r2 in WHERE', start };
  return filter === null
    ? null
    : { what: '(r, n | …)', instead: 'name the path and write all(r IN relationships(p) WHERE …)', start };
};
