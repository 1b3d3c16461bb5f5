import { DuckdbEngine } from '../../../../pod/graph/engine/duckdb/duckdb-engine';
import { FalkordbEngine } from '../../../../pod/graph/engine/falkordb/falkordb-engine';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { PROGRAM_CACHE } from './falkordb';

export const KINDS = ['graphdb_a', 'graphdb_b'] as const;
export type Kind = (typeof KINDS)[number];

/** The engine of a kind of instance. */
export const engineOfKind = (kind: Kind, directory: string, memoryBytes = 2 ** 30): GraphEngine => {
  const options = { directory, memoryBytes, cpuCores: 2, onCrash: () => undefined };
  return kind === 'graphdb_a'
    ? new DuckdbEngine(options)
    : new FalkordbEngine({ ...options, cacheDirectory: PROGRAM_CACHE });
};
