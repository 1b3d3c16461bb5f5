import { falkordb } from '../../pod/graph/support/falkordb';
import { graphEngineContract } from './graph-engine-contract';

graphEngineContract(
  'FalkorDB',
  {
    characters: (count) => `string.join([x IN range(1, 10 * ${count}) | '${'x'.repeat(100)}'], '')`,
    wholeSecond: (second) => `${second}.000000Z`,
  },
  falkordb,
);
