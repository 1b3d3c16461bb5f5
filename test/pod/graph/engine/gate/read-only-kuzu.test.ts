import { isLeft } from 'fp-ts/Either';
import { KuzuEngine } from '../../../../../pod/graph/engine/kuzu/kuzu-engine';
import { VOCABULARY } from '../../../../../pod/graph/engine/kuzu/query/vocabulary';
import { readOnlySuite } from './read-only-suite';

readOnlySuite('kuzu', {
  create: (directory) => new KuzuEngine({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined }),
  vocabulary: VOCABULARY,
  catalogue: [
    'CALL show_tables() RETURN *',
    'CALL show_functions() RETURN *',
    'CALL show_indexes() RETURN *',
    'CALL show_sequences() RETURN *',
    "CALL current_setting('threads') RETURN *",
  ],
  runUnchecked: async (engine, text) => isLeft(await engine.query({ text, parameters: {}, timeoutMs: 5_000 })),
  ownFiles: /"\/(?:proc|sys)\/|graph\.kuzu/,
  reachesOut: "LOAD FROM '<file>' RETURN *",
});
