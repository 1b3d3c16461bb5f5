import { createQueryPreparation, type QueryPreparation } from '../cypher/query-preparation';
import { type Quirk } from '../cypher/quirk';
import { FALKORDB_DIALECT } from './dialect';
import { refuseForeignSyntax } from './foreign-syntax';
import { constantConditions, keptValues, overlookedNames } from './quirks/early-conditions';
import { greatIntegers } from './quirks/great-integers';
import { groupedValues } from './quirks/grouped-values';
import { importedNames } from './quirks/imported-names';
import { exactTimes } from './quirks/exact-times';
import { indexedKeys } from './quirks/indexed-keys';
import { limitedRows } from './quirks/limited-rows';
import { boundRelationships, patternConditions } from './quirks/matched-parts';
import { namedSteps } from './quirks/named-steps';
import { repeatedRelationships } from './quirks/repeated-relationships';
import { shortestPaths } from './quirks/shortest-paths';
import { storedTimes } from './quirks/stored-times';
import { subqueries } from './quirks/subqueries';
import { uncertainWalks } from './quirks/uncertain-walks';
import {
  exactSums,
  nullInEqualLists,
  partsOfTexts,
  regularExpressions,
  writtenFunctions,
  writtenOperators,
} from './quirks/written-values';
import { VOCABULARY } from './vocabulary';

/** Differences between FalkorDB 4.16 and openCypher, in the order in which they are cured. */
export const FALKORDB_QUIRKS: readonly Quirk[] = [
  nullInEqualLists,
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
];

export const createFalkordbPreparation = (): QueryPreparation =>
  createQueryPreparation({
    vocabulary: VOCABULARY,
    quirks: FALKORDB_QUIRKS,
    dialect: FALKORDB_DIALECT,
    check: refuseForeignSyntax,
  });
