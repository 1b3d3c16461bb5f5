import { VOCABULARY } from '../../../../../pod/graph/engine/falkordb/vocabulary';
import { bareFalkordb } from '../../support/bare-falkordb';
import { falkordb } from '../../support/falkordb';
import { readOnlySuite } from './read-only-suite';

readOnlySuite('falkordb', {
  create: falkordb,
  vocabulary: VOCABULARY,
  catalogue: ['CALL db.indexes()', 'CALL db.labels()', 'CALL db.constraints()'],
  unchecked: {
    run: async (engine, text) => {
      const bare = await bareFalkordb(engine);
      const found = await bare.read(text);
      bare.close();
      return typeof found === 'string';
    },
    ownFiles: /"\/(?:proc|sys)\//,
    reachesOut: "LOAD CSV FROM '<url>' AS row RETURN row",
  },
});
