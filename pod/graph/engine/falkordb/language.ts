import { strengthBy } from '../cypher/operator-strength';
import { type Dialect } from '../cypher/query-writer';
import { type Quirk } from '../cypher/quirk';
import { boundRelationships } from './quirks/bound-relationships';
import { constantConditions, keptValues, limitedRows, overlookedNames } from './quirks/early-conditions';
import { greatIntegers } from './quirks/great-integers';
import { groupedValues } from './quirks/grouped-values';
import { indexedKeys } from './quirks/indexed-keys';
import { namedSteps, patternConditions } from './quirks/matched-parts';
import { notANumber } from './quirks/not-a-number';
import { nullMaps } from './quirks/null-maps';
import { computedNodes, matchesAfterOptional, nullNodes } from './quirks/null-nodes';
import { repeatedRelationships } from './quirks/repeated-relationships';
import { sharedForms } from './quirks/shared-forms';
import { shortestPaths } from './quirks/shortest-paths';
import { storedTimes } from './quirks/stored-times';
import { importedNames, subqueries } from './quirks/subqueries';
import { uncertainWalks } from './quirks/uncertain-walks';
import { writtenNames } from './quirks/written-names';
import {
  exactSums,
  nullInEqualLists,
  partsOfTexts,
  regularExpressions,
  writtenFunctions,
  writtenOperators,
} from './quirks/written-values';
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
  readsTwice: true,
};

/** Differences between FalkorDB 4.16 and openCypher, in the order in which they are cured. */
export const FALKORDB_QUIRKS: readonly Quirk[] = [
  writtenNames,
  sharedForms,
  nullInEqualLists,
  nullMaps,
  notANumber,
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
  storedTimes,
  indexedKeys,
  groupedValues,
  limitedRows,
  overlookedNames,
  keptValues,
  constantConditions,
  namedSteps,
  matchesAfterOptional,
  computedNodes,
];
