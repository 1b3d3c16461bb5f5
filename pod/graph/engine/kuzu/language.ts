import { createQueryPreparation, type QueryPreparation } from '../cypher/query-preparation';
import { type Quirk } from '../cypher/quirk';
import { KUZU_DIALECT } from './dialect';
import {
  aggregatesAfterDistinct,
  aggregatesOfNothing,
  equalAggregates,
  groupedRelationships,
  nestedAggregates,
  renamedCounts,
} from './quirks/aggregates';
import { bareConditions, nullInCases } from './quirks/bare-conditions';
import { circles } from './quirks/circles';
import { countsInExpressions, countsOfNothing } from './quirks/counts-of-nothing';
import { filteredConstants, reducedConstants } from './quirks/filtered-constants';
import { sizesOfPatterns } from './quirks/sizes-of-patterns';
import { keysInUnions, keysOfSeveralLabels } from './quirks/keys-in-unions';
import { equalNodes } from './quirks/equal-nodes';
import { existenceInWith } from './quirks/existence-in-with';
import { nullMaps } from './quirks/null-maps';
import { nullNodes } from './quirks/null-nodes';
import { labelFunctions } from './quirks/label-functions';
import {
  chainedLambdas,
  elementsWithFields,
  filteredLists,
  listPredicates,
  listsInConditions,
  valuesInLambdas,
} from './quirks/list-predicates';
import { conditionsOfParameters, joinsByValue } from './quirks/match-conditions';
import { mixedMaps } from './quirks/mixed-maps';
import { mixedTypes } from './quirks/mixed-types';
import { nullConstants } from './quirks/null-constants';
import { nullInEmptyLists, nullInEqualLists, nullInLists } from './quirks/null-in-lists';
import { nullInReplacements } from './quirks/null-in-replacements';
import { optionalParts, optionalPaths } from './quirks/optional-matches';
import { subqueriesOfNulls } from './quirks/optional-subqueries';
import { outerNulls } from './quirks/outer-nulls';
import { pathsInWith } from './quirks/paths-in-with';
import { renamedTables } from './quirks/renamed-tables';
import { renamedVariables } from './quirks/renamed-variables';
import { repeatedRelationships } from './quirks/repeated-relationships';
import { repeatingWalks } from './quirks/repeating-walks';
import { listsOfRelationships } from './quirks/lists-of-relationships';
import { listsOfPatterns } from './quirks/rows-of-patterns';
import { skippedBlocks } from './quirks/skipped-blocks';
import { emptyParts, nullInTexts } from './quirks/texts';
import { unmatchableSteps } from './quirks/unmatchable-steps';
import { longestPaths } from './quirks/longest-paths';
import { loopsInLists } from './quirks/loops-in-lists';
import { loopsWithoutDirection } from './quirks/loops-without-direction';
import { walksOfLengthZero } from './quirks/walks-of-length-zero';
import { unknownNames } from './quirks/unknown-names';
import { writtenMaps } from './quirks/written-maps';
import { boundRelationships, conditionsInPatterns, shortestPaths } from './quirks/written-patterns';
import { namesAfterWith, orderOfWith, shadowedNames } from './quirks/written-projections';
import { writtenFunctions, writtenLists } from './quirks/written-values';
import { VOCABULARY } from './vocabulary';

/** Differences between Kuzu 0.11.3 and openCypher, in the order in which they are cured. */
export const KUZU_QUIRKS: readonly Quirk[] = [
  longestPaths,
  subqueriesOfNulls,
  nullMaps,
  walksOfLengthZero,
  listsOfRelationships,
  sizesOfPatterns,
  loopsInLists,
  listsOfPatterns,
  repeatedRelationships,
  repeatingWalks,
  loopsWithoutDirection,
  shadowedNames,
  namesAfterWith,
  orderOfWith,
  writtenMaps,
  boundRelationships,
  conditionsInPatterns,
  shortestPaths,
  existenceInWith,
  nullNodes,
  nullConstants,
  mixedTypes,
  nullInEqualLists,
  outerNulls,
  labelFunctions,
  countsOfNothing,
  countsInExpressions,
  aggregatesOfNothing,
  writtenFunctions,
  writtenLists,
  nullInReplacements,
  nullInTexts,
  emptyParts,
  nullInLists,
  nullInEmptyLists,
  equalNodes,
  listsInConditions,
  listPredicates,
  chainedLambdas,
  valuesInLambdas,
  filteredLists,
  elementsWithFields,
  bareConditions,
  nullInCases,
  unknownNames,
  conditionsOfParameters,
  joinsByValue,
  mixedMaps,
  unmatchableSteps,
  keysInUnions,
  keysOfSeveralLabels,
  aggregatesAfterDistinct,
  groupedRelationships,
  equalAggregates,
  nestedAggregates,
  renamedCounts,
  renamedTables,
  renamedVariables,
  reducedConstants,
  filteredConstants,
  skippedBlocks,
  optionalPaths,
  optionalParts,
  circles,
  pathsInWith,
];

export const createKuzuPreparation = (): QueryPreparation =>
  createQueryPreparation({ vocabulary: VOCABULARY, quirks: KUZU_QUIRKS, dialect: KUZU_DIALECT });
