import { createInMemoryIdGenerator } from '../../support/in-memory/in-memory-id-generator';
import { describeIdGenerator } from './id-generator-contract';

describeIdGenerator('in memory', () =>
  Promise.resolve({ ids: createInMemoryIdGenerator(), close: () => Promise.resolve() }),
);
