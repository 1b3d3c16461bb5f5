import { KuzuEngine } from '../../../../../pod/graph/engine/kuzu/kuzu-engine';
import { VOCABULARY } from '../../../../../pod/graph/engine/kuzu/vocabulary';
import { askUnchecked } from '../../support/unchecked-kuzu';
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
  runUnchecked: async (engine, text) =>
    engine instanceof KuzuEngine && typeof (await askUnchecked(engine, text)) === 'string',
  ownFiles: /"\/(?:proc|sys)\/|graph\.kuzu/,
  reachesOut: "LOAD FROM '<file>' RETURN *",
});
