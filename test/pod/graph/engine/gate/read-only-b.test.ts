import { VOCABULARY } from '../../../../../pod/graph/engine/graphdb-b/vocabulary';
import { graphdbB } from '../../support/graphdb-b';
import { readOnlySuite } from './read-only-suite';

readOnlySuite('graphdb-b', {
  create: graphdbB,
  vocabulary: VOCABULARY,
  catalogue: ['CALL db.indexes()', 'CALL db.labels()', 'CALL db.constraints()'],
  ownFiles: /"\/(?:proc|sys)\//,
  reachesOut: "LOAD CSV FROM '<url>' AS row RETURN row",
});
