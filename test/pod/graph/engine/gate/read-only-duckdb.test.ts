import { VOCABULARY } from '../../../../../pod/graph/engine/duckdb/compile/functions';
import { engineOfKind } from '../../support/engine-of-kind';
import { readOnlySuite } from './read-only-suite';

readOnlySuite('duckdb', {
  create: (directory) => engineOfKind('graphdb_a', directory),
  vocabulary: VOCABULARY,
  catalogue: [
    'CALL db.labels() YIELD label RETURN label',
    'CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey',
  ],
  unchecked: null,
});
