import { createInMemoryParkedEvents } from '../../../adapters/in-memory/in-memory-parked-events';
import { parkedEventsContract } from './parked-events-contract';

parkedEventsContract(() => Promise.resolve(createInMemoryParkedEvents()));
