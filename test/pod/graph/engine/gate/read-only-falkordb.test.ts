import { VOCABULARY } from '../../../../../pod/graph/engine/falkordb/vocabulary';
import { falkordb } from '../../support/falkordb';
import { readOnlySuite } from './read-only-suite';

readOnlySuite('falkordb', {
  create: falkordb,
  vocabulary: VOCABULARY,
  catalogue: ['CALL db.indexes()', 'CALL db.labels()', 'CALL db.constraints()'],
  ownFiles: /"\/(?:proc|sys)\//,
  reachesOut: "LOAD CSV FROM '<url>' AS row RETURN row",
});
