import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FalkordbEngine } from '../../../../pod/graph/engine/falkordb/falkordb-engine';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';

/** Programs prepared for this machine, kept between test runs. */
export const PROGRAM_CACHE = join(tmpdir(), `rowgraph-test-programs-${process.getuid?.() ?? 0}`);

export const falkordb = (directory: string): GraphEngine =>
  new FalkordbEngine({
    directory,
    cacheDirectory: PROGRAM_CACHE,
    memoryBytes: 2 ** 30,
    cpuCores: 2,
    onCrash: () => undefined,
  });
