import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { createGraphdbB } from '../../../../pod/graph/engine/graphdb-b/graphdb-b-engine';

/** Programs made ready for this machine, kept from one test run to the next. */
export const PROGRAM_CACHE = join(tmpdir(), `rowgraph-test-programs-${process.getuid?.() ?? 0}`);

export const graphdbB = (directory: string): GraphEngine =>
  createGraphdbB({
    directory,
    cacheDirectory: PROGRAM_CACHE,
    memoryBytes: 2 ** 30,
    cpuCores: 2,
    onCrash: () => undefined,
  });
