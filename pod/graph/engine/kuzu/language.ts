import { createQueryPreparation, type QueryPreparation } from '../cypher/query-preparation';
import { type Quirk } from '../cypher/quirk';
import { KUZU_DIALECT } from './dialect';
import { circles } from './quirks/circles';
import { filteredConstants } from './quirks/filtered-constants';
import { sizesOfPatterns } from './quirks/sizes-of-patterns';
import { labelFunctions } from './quirks/label-functions';
import { mixedMaps } from './quirks/mixed-maps';
import { optionalParts, optionalPaths } from './quirks/optional-matches';
import { renamedCounts } from './quirks/renamed-counts';
import { renamedTables } from './quirks/renamed-tables';
import { repeatedRelationships } from './quirks/repeated-relationships';
import { repeatingWalks } from './quirks/repeating-walks';
import { skippedBlocks } from './quirks/skipped-blocks';
import { unmatchableSteps } from './quirks/unmatchable-steps';
import { loopsWithoutDirection, walksOfLengthZero } from './quirks/walks';
import { writtenFunctions, writtenLists } from './quirks/written-values';
import { VOCABULARY } from './vocabulary';

/** What Kuzu 0.11.3 answers otherwise than openCypher, in the order in which it is cured. */
export const KUZU_QUIRKS: readonly Quirk[] = [
  repeatedRelationships,
  repeatingWalks,
  labelFunctions,
  sizesOfPatterns,
  writtenFunctions,
  writtenLists,
  mixedMaps,
  unmatchableSteps,
  renamedCounts,
  renamedTables,
  filteredConstants,
  skippedBlocks,
  optionalPaths,
  optionalParts,
  loopsWithoutDirection,
  walksOfLengthZero,
  circles,
];

export const createKuzuPreparation = (): QueryPreparation =>
  createQueryPreparation({ vocabulary: VOCABULARY, quirks: KUZU_QUIRKS, dialect: KUZU_DIALECT });
