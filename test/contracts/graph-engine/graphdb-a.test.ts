import { createGraphdbA } from '../../../pod/graph/engine/graphdb-a/graphdb-a-engine';
import { graphEngineContract } from './graph-engine-contract';

graphEngineContract(
  'kind A',
  { millionCharacters: "repeat('x', 1000000)", wholeSecond: (second) => `${second}.000Z` },
  (directory) => createGraphdbA({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined }),
);
