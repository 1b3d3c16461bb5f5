import { type Cure } from '../cypher/cure';
import { boundRelationships } from './quirks/bound-relationships';
import { columnsOfUnions } from './quirks/columns-of-unions';
import { comparedTypes } from './quirks/compared-types';
import { constantConditions, limitedRows, overlookedNames } from './quirks/early-conditions';
import { greatIntegers } from './quirks/great-integers';
import { greatPositions } from './quirks/great-positions';
import { groupedValues } from './quirks/grouped-values';
import { indexedKeys } from './quirks/indexed-keys';
import { keptTexts } from './quirks/kept-texts';
import { nullInEqualLists } from './quirks/lists-with-null';
import { namedSteps, patternConditions } from './quirks/matched-parts';
import { nestedUnions } from './quirks/nested-unions';
import { notANumber } from './quirks/not-a-number';
import { boundNodes, computedNodes, matchesAfterOthers, nullMaps, optionalAtBeginning } from './quirks/null-nodes';
import { overflowingIntegers } from './quirks/overflowing-integers';
import { parametersAsProperties } from './quirks/parameters-as-properties';
import { repeatedRelationships } from './quirks/repeated-relationships';
import { sharedForms } from './quirks/shared-forms';
import { shortestPaths } from './quirks/shortest-paths';
import { sortedAgain, wholeSorts } from './quirks/sorted-again';
import { storedTimes } from './quirks/stored-times';
import { importedNames, subqueries } from './quirks/subqueries';
import { uncertainWalks } from './quirks/uncertain-walks';
import { writtenNames } from './quirks/written-names';
import { writtenFunctions } from './quirks/written-values';

/** The cures of the differences between FalkorDB 4.16 and openCypher, in their order. */
export const FALKORDB_CURES: readonly Cure[] = [
  columnsOfUnions,
  parametersAsProperties,
  writtenNames,
  sharedForms,
  keptTexts,
  nullInEqualLists,
  nullMaps,
  notANumber,
  comparedTypes,
  greatIntegers,
  greatPositions,
  overflowingIntegers,
  writtenFunctions,
  uncertainWalks,
  repeatedRelationships,
  subqueries,
  shortestPaths,
  boundRelationships,
  patternConditions,
  boundNodes,
  storedTimes,
  indexedKeys,
  groupedValues,
  sortedAgain,
  limitedRows,
  wholeSorts,
  overlookedNames,
  constantConditions,
  namedSteps,
  importedNames,
  nestedUnions,
  optionalAtBeginning,
  matchesAfterOthers,
  computedNodes,
];
