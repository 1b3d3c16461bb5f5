import { createGraphdbA } from '../../../../../pod/graph/engine/graphdb-a/graphdb-a-engine';
import { VOCABULARY } from '../../../../../pod/graph/engine/graphdb-a/vocabulary';
import { readOnlySuite } from './read-only-suite';

readOnlySuite('graphdb-a', {
  create: (directory) => createGraphdbA({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined }),
  vocabulary: VOCABULARY,
  catalogue: [
    'CALL show_tables() RETURN *',
    'CALL show_functions() RETURN *',
    'CALL show_indexes() RETURN *',
    'CALL show_sequences() RETURN *',
    "CALL current_setting('threads') RETURN *",
  ],
  ownFiles: /"\/(?:proc|sys)\/|graph\.kuzu/,
  reachesOut: "LOAD FROM '<file>' RETURN *",
});
