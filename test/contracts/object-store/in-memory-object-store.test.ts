import { createInMemoryObjectStore } from '../../support/in-memory/in-memory-object-store';
import { describeObjectStore } from './object-store-contract';

describeObjectStore('the memory of this process', () => Promise.resolve(createInMemoryObjectStore()));
