import { KuzuEngine } from '../../../pod/graph/engine/kuzu/kuzu-engine';
import { graphEngineContract } from './graph-engine-contract';

graphEngineContract(
  'Kuzu',
  { characters: (count) => `repeat(repeat('x', 1000), ${count})`, wholeSecond: (second) => `${second}.000Z` },
  (directory) => new KuzuEngine({ directory, memoryBytes: 2 ** 31, cpuCores: 2, onCrash: () => undefined }),
);
