import { DuckdbEngine } from '../../../pod/graph/engine/duckdb/duckdb-engine';
import { graphEngineContract } from './graph-engine-contract';

const x = (count: number): string => `'${'x'.repeat(count)}'`;

graphEngineContract(
  'DuckDB',
  {
    characters: (count) => `replace(left(${x(1_000)}, ${count} / 100), 'x', replace(${x(1_000)}, 'x', ${x(100)}))`,
    wholeSecond: (second) => `${second}.000Z`,
  },
  (directory) => new DuckdbEngine({ directory, memoryBytes: 2 ** 33, cpuCores: 2, onCrash: () => undefined }),
);
