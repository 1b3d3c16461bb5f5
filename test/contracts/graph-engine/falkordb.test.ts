import { falkordb } from '../../pod/graph/support/falkordb';
import { graphEngineContract } from './graph-engine-contract';

graphEngineContract(
  'FalkorDB',
  {
    millionCharacters: `string.join([x IN range(1, 10000) | '${'x'.repeat(100)}'], '')`,
    wholeSecond: (second) => `${second}.000000Z`,
  },
  falkordb,
);
