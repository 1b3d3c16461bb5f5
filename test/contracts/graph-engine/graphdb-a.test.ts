import { createGraphdbA } from '../../../pod/graph/engine/graphdb-a/graphdb-a-engine';
import { graphEngineContract } from './graph-engine-contract';

graphEngineContract('kind A', (directory) =>
  createGraphdbA({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined }),
);
