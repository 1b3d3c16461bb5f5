import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { FalkordbEngine } from '../../../../pod/graph/engine/falkordb/falkordb-engine';

/** Programs made ready for this machine, kept from one test run to the next. */
export const PROGRAM_CACHE = join(tmpdir(), `rowgraph-test-programs-${process.getuid?.() ?? 0}`);

export const falkordb = (directory: string): GraphEngine =>
  new FalkordbEngine({
    directory,
    cacheDirectory: PROGRAM_CACHE,
    memoryBytes: 2 ** 30,
    cpuCores: 2,
    onCrash: () => undefined,
  });
